import type { Mongo } from '@joblisting/service-kit';
import { collections } from './running-categories.ts';

/** While `work` runs, nobody else can write the category: every transaction that does conflicts and waits. */
export async function holding<T>(mongo: Mongo, categoryId: number, work: () => Promise<T>): Promise<T> {
  const session = await mongo.startSession();
  try {
    session.startTransaction();
    const held = { $inc: { version: 1 } };
    await collections(mongo).categories.updateOne({ _id: categoryId }, held, { session });
    return await work();
  } finally {
    await session.abortTransaction();
    await session.endSession();
  }
}

/** From now on, the database refuses to change categories. */
export const refuseWrites = (mongo: Mongo) => validate(mongo, { never: true });

export const acceptWrites = (mongo: Mongo) => validate(mongo, {});

async function validate(mongo: Mongo, validator: object): Promise<void> {
  await mongo.db?.command({ collMod: 'categories', validator });
}
