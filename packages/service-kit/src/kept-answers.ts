import { type ClientSession, mongo as driver } from 'mongoose';
import type { Clock } from './clock.ts';
import type { KeptAnswer, KeptAnswers } from './idempotency.ts';
import type { Mongo } from './mongo.ts';

/** A kept answer as the database has it. */
export type StoredAnswer = Omit<KeptAnswer, 'data'> & { readonly data: driver.Binary };

export const toStoredAnswer = (kept: KeptAnswer): StoredAnswer => ({
  ...kept,
  data: new driver.Binary(kept.data),
});

export const toKeptAnswer = ({ data, ...rest }: StoredAnswer): KeptAnswer => ({
  ...rest,
  data: data.value(),
});

/** A collection of kept answers, for services whose effect and answer are written in one transaction. */
export function keptAnswersIn(mongo: Mongo, name: string, clock: Clock) {
  const answers = mongo.collection<StoredAnswer & { readonly _id: string }>(name);
  const live = () => ({ $gt: new Date(clock.now()) });

  return {
    createIndexes: () => answers.createIndex({ expireAt: 1 }, { expireAfterSeconds: 0 }),

    find: async (key: string): Promise<KeptAnswer | undefined> => {
      const found = await answers.findOne({ _id: key, expireAt: live() }, { projection: { _id: 0 } });
      return found ? toKeptAnswer(found) : undefined;
    },

    /** Rejects with a duplicate key where a live answer is there already. */
    insert: async (kept: KeptAnswer, session: ClientSession): Promise<void> => {
      const expired = { _id: kept.key, expireAt: { $lte: new Date(clock.now()) } };
      await answers.replaceOne(expired, toStoredAnswer(kept), { upsert: true, session });
    },
  } satisfies KeptAnswers & Record<string, unknown>;
}
