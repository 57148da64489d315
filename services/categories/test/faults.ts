import type { Mongo } from '@joblisting/service-kit';
import { collections } from './running-categories.ts';

/** Locks the category during the work: other transactions that write it conflict and retry. */
export async function whileLocked<T>(mongo: Mongo, categoryId: number, work: () => Promise<T>): Promise<T> {
  const session = await mongo.startSession();
  try {
    session.startTransaction();
    const change = { $inc: { version: 1 } };
    await collections(mongo).categories.updateOne({ _id: categoryId }, change, { session });
    return await work();
  } finally {
    await session.abortTransaction();
    await session.endSession();
  }
}

/** Makes the database refuse all changes of categories. */
export const refuseWrites = (mongo: Mongo) => validate(mongo, { never: true });

export const acceptWrites = (mongo: Mongo) => validate(mongo, {});

async function validate(mongo: Mongo, validator: object): Promise<void> {
  await mongo.db?.command({ collMod: 'categories', validator });
}
