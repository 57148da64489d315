import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { deadlineExceeded } from '@joblisting/contracts';
import { databaseOf, type Mongo } from '@joblisting/service-kit';
import { mongo as driver } from 'mongoose';
import { applicationModel } from '../models/application.ts';
import { BUCKET, storedFileModel } from '../models/stored-file.ts';

/** Where the bytes of files are. An object store can take the place of GridFS. */
export interface FileStore {
  /** Stores the bytes durably under new ids, before the application that will name them. Rejects past the deadline (epoch ms). */
  readonly write: (contents: readonly Uint8Array[], deadline: number) => Promise<string[]>;
  /** Undefined where the file is not there. */
  readonly read: (id: string) => Promise<Uint8Array | undefined>;
  readonly remove: (ids: readonly string[]) => Promise<void>;
  /**
   * Removes files whose application was never stored, and confirms the others.
   * @returns how many were checked
   */
  readonly sweep: (uploadedBefore: Date) => Promise<number>;
}

/** A few large chunks: each is a durable write. */
const CHUNK_BYTES = 1024 ** 2;
const SWEPT_AT_ONCE = 100;

/** Files in GridFS. The driver's types want ObjectIds; GridFS takes any id (GridFS specification, "_id"). */
export function fileStore(mongo: Mongo): FileStore {
  const files = storedFileModel(mongo);
  const applications = applicationModel(mongo);
  const bucket = new driver.GridFSBucket(databaseOf(mongo), {
    bucketName: BUCKET,
    chunkSizeBytes: CHUNK_BYTES,
    writeConcern: { w: 'majority', journal: true },
  });
  const idOf = (id: string) => id as unknown as driver.ObjectId;

  const writeOne = async (content: Uint8Array): Promise<string> => {
    const id = randomUUID();
    const stream = bucket.openUploadStreamWithId(idOf(id), id, { metadata: { unconfirmed: true } });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    stream.once('finish', resolve).once('error', reject).end(content);
    await promise;
    return id;
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
    write: async (contents, deadline) => {
      const ids: string[] = [];
      for (const content of contents) {
        if (Date.now() >= deadline) throw deadlineExceeded();
        ids.push(await writeOne(content));
      }
      return ids;
    },

    read: async (id) => {
      if (!(await files.exists({ _id: id }))) return undefined;
      return buffer(bucket.openDownloadStream(idOf(id)));
    },

    remove,

    sweep: async (uploadedBefore) => {
      const unconfirmed = { uploadDate: { $lt: uploadedBefore }, 'metadata.unconfirmed': true };
      const found = await files.find(unconfirmed, { _id: 1 }).limit(SWEPT_AT_ONCE).lean();
      const ids = found.map(({ _id }) => String(_id));
      const owners = await applications.find({ 'files.storedAs': { $in: ids } }, { files: 1 }).lean();
      const owned = new Set(owners.flatMap((owner) => owner.files.map(({ storedAs }) => storedAs)));
      await remove(ids.filter((id) => !owned.has(id)));
      await files.updateMany({ _id: { $in: [...owned] } }, { $unset: { 'metadata.unconfirmed': 1 } });
      return ids.length;
    },
  };
}
