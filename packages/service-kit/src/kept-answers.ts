import type { ClientSession, mongo } from 'mongoose';
import type { Clock } from './clock.ts';
import { readDurably } from './durable-read.ts';
import { KEPT_MS, type KeptAnswer, type KeptAnswers } from './idempotency.ts';
import { driver } from './driver.ts';
import type { Mongo } from './mongo.ts';

/** A kept answer as the database has it. */
export type StoredAnswer = Omit<KeptAnswer, 'data'> & { readonly data: mongo.Binary };

export const toStoredAnswer = (kept: KeptAnswer): StoredAnswer => ({
  ...kept,
  data: new (driver().Binary)(kept.data),
});

export const toKeptAnswer = ({ data, ...rest }: StoredAnswer): KeptAnswer => ({
  ...rest,
  data: data.value(),
});

/** `removeAt` is by the machine's time: the server removes by its own, whatever the service's clock was moved to. */
type AnswerRow = StoredAnswer & { readonly _id: string; readonly removeAt: Date };

/** One hour more than they are given again, for clocks that differ. */
const REMOVE_AFTER_MS = KEPT_MS + 3600_000;

/** A collection of kept answers, for services whose effect and answer are written in one transaction. */
export function keptAnswersIn(mongo: Mongo, name: string, clock: Clock) {
  const answers = mongo.collection<AnswerRow>(name);
  const live = () => ({ expireAt: { $gt: new Date(clock.now()) } });

  return {
    createIndexes: () => answers.createIndex({ removeAt: 1 }, { expireAfterSeconds: 0 }),

    find: async (key: string): Promise<KeptAnswer | undefined> => {
      const projection = { _id: 0, removeAt: 0 };
      const found = await readDurably(mongo, (options) =>
        answers.findOne({ _id: key, ...live() }, { ...options, projection }),
      );
      return found && toKeptAnswer(found);
    },

    /** Which of the keys have an answer already, for a transaction that is about to insert others. */
    taken: async (keys: readonly string[], session: ClientSession): Promise<Set<string>> => {
      if (keys.length === 0) return new Set();
      const wanted = { _id: { $in: [...keys] }, ...live() };
      const found = await answers.find(wanted, { projection: { _id: 1 }, session }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /** Writes answers to keys that are not taken. Conflicts with whoever answers one of them meanwhile. */
    insert: async (kept: readonly KeptAnswer[], session: ClientSession): Promise<void> => {
      if (kept.length === 0) return;
      const removeAt = new Date(Date.now() + REMOVE_AFTER_MS);
      const writes = kept.map((answer) => ({
        replaceOne: {
          filter: { _id: answer.key, expireAt: { $lte: new Date(clock.now()) } },
          replacement: { ...toStoredAnswer(answer), removeAt },
          upsert: true,
        },
      }));
      await answers.bulkWrite(writes, { session });
    },
  } satisfies KeptAnswers & Record<string, unknown>;
}
