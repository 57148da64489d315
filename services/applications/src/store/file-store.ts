import { buffer } from 'node:stream/consumers';
import { deadlineExceeded } from '@joblisting/contracts';
import { databaseOf, type Mongo, semaphore } from '@joblisting/service-kit';
import { type ClientSession, mongo as driver } from 'mongoose';
import { bufferOf } from '../domain/file.ts';
import { BUCKET, chunkModel, fileModel } from '../models/files.ts';

/** The bytes of a file, and the id under which they are stored. */
export interface FileContent {
  readonly storedAs: string;
  readonly content: Uint8Array;
}

export type FileStore = ReturnType<typeof fileStore>;

/** A few large chunks: each is a document. */
const CHUNK_BYTES = 1024 ** 2;
/** Each takes up to 5 MiB. */
const READS_AT_ONCE = 8;

/** The bytes of files, in GridFS. They come and go in the transactions of their applications. */
export function fileStore(mongo: Mongo) {
  const files = fileModel(mongo);
  const chunks = chunkModel(mongo);
  const bucket = new driver.GridFSBucket(databaseOf(mongo), { bucketName: BUCKET });
  const reads = semaphore(READS_AT_ONCE);
  // The driver's types want ObjectIds; GridFS takes any id (GridFS specification, "_id").
  const idOf = (id: string) => id as unknown as driver.ObjectId;

  return {
    /** The driver's own uploads take no session. */
    insert: async (contents: readonly FileContent[], session: ClientSession): Promise<void> => {
      if (contents.length === 0) return;
      const options = { session, lean: true } as const;
      await chunks.insertMany(contents.flatMap(toChunks), options);
      await files.insertMany(contents.map(toFile), options);
    },

    /** Undefined if the file is not there. A few are read at once. Rejects past the deadline (epoch ms). */
    read: (id: string, deadline: number): Promise<Buffer | undefined> =>
      reads(async () => {
        if (Date.now() >= deadline) throw deadlineExceeded();
        const [found] = await bucket.find({ _id: idOf(id) }).toArray();
        return found && buffer(bucket.openDownloadStream(idOf(id)));
      }),

    remove: async (ids: readonly string[], session?: ClientSession): Promise<void> => {
      if (ids.length === 0) return;
      const options = session && { session };
      await chunks.deleteMany({ files_id: { $in: [...ids] } }, options);
      await files.deleteMany({ _id: { $in: [...ids] } }, options);
    },
  };
}

const toFile = ({ storedAs, content }: FileContent) => ({
  _id: storedAs,
  length: content.length,
  chunkSize: CHUNK_BYTES,
  uploadDate: new Date(),
  filename: storedAs,
});

const toChunks = ({ storedAs, content }: FileContent) =>
  Array.from({ length: Math.ceil(content.length / CHUNK_BYTES) }, (_, n) => ({
    files_id: storedAs,
    n,
    data: bufferOf(content.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES)),
  }));
