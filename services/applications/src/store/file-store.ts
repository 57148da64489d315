import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { deadlineExceeded } from '@joblisting/contracts';
import { databaseOf, type Mongo, semaphore } from '@joblisting/service-kit';
import { mongo as driver } from 'mongoose';
import type { SentFile } from '../domain/file.ts';
import { applicationModel } from '../models/application.ts';
import { unreferencedFilesModel } from '../models/unreferenced-files.ts';

/** Where the bytes of files are. An object store can take the place of GridFS. */
export interface FileStore {
  /**
   * Stores the bytes durably under new ids, before the application that will name them. Rejects past the deadline (epoch
   * ms).
   */
  readonly write: (files: readonly SentFile[], deadline: number) => Promise<string[]>;
  /** Undefined if the file is not there. A few are read at once. Rejects past the deadline (epoch ms). */
  readonly read: (id: string, deadline: number) => Promise<Buffer | undefined>;
  readonly remove: (ids: readonly string[]) => Promise<void>;
  /** Removes files whose check is due at `now`, unless an application refers to them. Resolves to how many were checked. */
  readonly sweep: (now: Date) => Promise<number>;
}

const BUCKET = 'files';
/** A few large chunks: each is a durable write. */
const CHUNK_BYTES = 1024 ** 2;
const SWEPT_AT_ONCE = 100;
/** Each takes up to 5 MiB. */
const READS_AT_ONCE = 8;
/** An application is stored long before: a request takes 60 s at most. */
const CHECK_AFTER_MS = 3600_000;

/** Files in GridFS. The driver's types want ObjectIds; GridFS takes any id (GridFS specification, "_id"). */
export function fileStore(mongo: Mongo): FileStore {
  const unreferenced = unreferencedFilesModel(mongo);
  const applications = applicationModel(mongo);
  const bucket = new driver.GridFSBucket(databaseOf(mongo), {
    bucketName: BUCKET,
    writeConcern: { w: 'majority', journal: true },
  });
  const reads = semaphore(READS_AT_ONCE);
  const idOf = (id: string) => id as unknown as driver.ObjectId;

  const writeOne = (id: string, content: Uint8Array): Promise<void> => {
    // The driver fills up a buffer of this size, however small the file is.
    const chunkSizeBytes = Math.min(content.length, CHUNK_BYTES);
    const stream = bucket.openUploadStreamWithId(idOf(id), id, { chunkSizeBytes });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    stream.once('finish', resolve).once('error', reject).end(content);
    return promise;
  };

  const remove = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      // The driver fails for a file that an earlier attempt has removed, after it has removed the chunks.
      await bucket.delete(idOf(id)).catch((error: unknown) => {
        if (!(error instanceof driver.MongoRuntimeError)) throw error;
      });
    }
  };

  return {
    write: async (sent, deadline) => {
      if (sent.length === 0) return [];
      const files = sent.map(() => randomUUID());
      const checkAt = new Date(Date.now() + CHECK_AFTER_MS);
      await unreferenced.insertMany([{ _id: randomUUID(), files, checkAt }], { lean: true });
      for (const [index, { content }] of sent.entries()) {
        if (Date.now() >= deadline) throw deadlineExceeded();
        await writeOne(files[index] as string, content);
      }
      return files;
    },

    read: (id, deadline) =>
      reads(async () => {
        if (Date.now() >= deadline) throw deadlineExceeded();
        const [found] = await bucket.find({ _id: idOf(id) }).toArray();
        return found && buffer(bucket.openDownloadStream(idOf(id)));
      }),

    remove,

    sweep: async (now) => {
      const due = await unreferenced
        .find({ checkAt: { $lte: now } })
        .limit(SWEPT_AT_ONCE)
        .lean();
      for (const { _id, files } of due) {
        if (!(await applications.exists({ 'files.storedAs': { $in: files } }))) await remove(files);
        await unreferenced.deleteOne({ _id });
      }
      return due.length;
    },
  };
}
