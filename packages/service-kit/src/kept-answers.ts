import { promisify } from 'node:util';
import { constants, deflate, inflate } from 'node:zlib';
import { type ClientSession, mongo as driver, Schema } from 'mongoose';
import type { Clock } from './config.ts';
import { KEPT_MS, type KeptAnswer, type KeptAnswers, keyInFlight } from './idempotency.ts';
import { prepareModels, schemaOptions } from './models.ts';
import type { Mongo } from './mongo.ts';
import { readDurably } from './transaction.ts';

/** A kept answer as it is stored, its data compressed if they are large. */
export type StoredAnswer = Omit<KeptAnswer, 'data'> &
  ({ readonly data: driver.Binary } | { readonly deflated: driver.Binary });

/** Bytes of data from which compressing is worth its time. */
const LARGE_BYTES = 64 * 1024;

const compress = promisify<Uint8Array, { level: number }, Buffer>(deflate);
const decompress = promisify<Uint8Array, Buffer>(inflate);

export async function toStoredAnswer({ data, ...rest }: KeptAnswer): Promise<StoredAnswer> {
  if (data.length <= LARGE_BYTES) return { ...rest, data: new driver.Binary(data) };
  // Stored in full, not by reference: the resource may change, and the answer must not.
  const deflated = await compress(data, { level: constants.Z_BEST_SPEED });
  return { ...rest, deflated: new driver.Binary(deflated) };
}

export async function toKeptAnswer(stored: StoredAnswer): Promise<KeptAnswer> {
  if ('data' in stored) {
    const { data, ...rest } = stored;
    return { ...rest, data: data.value() };
  }
  const { deflated, ...rest } = stored;
  return { ...rest, data: await decompress(deflated.value()) };
}

type AnswerDocument = StoredAnswer & { readonly _id: string; readonly removeAt: Date };

/** One hour more than answers are given again, for clocks that differ. */
const REMOVE_AFTER_MS = KEPT_MS + 3600_000;

/** The fields of a kept answer, wherever it is stored. */
export const keptAnswerFields = {
  key: { type: String, required: true },
  fingerprint: { type: String, required: true },
  outcome: { type: String, required: true },
  id: Number,
  version: Number,
  data: Schema.Types.Buffer,
  deflated: Schema.Types.Buffer,
  warnings: { type: [Schema.Types.Mixed], required: true },
  expireAt: { type: Date, required: true },
} as const;

/** One document per Idempotency-Key, whose digest is its `_id`. */
const schema = new Schema<AnswerDocument>(
  {
    ...keptAnswerFields,
    _id: { type: String, required: true },
    // By the machine's time, because MongoDB removes by its own, and tests move the service's clock.
    removeAt: { type: Date, required: true },
  },
  schemaOptions,
);
schema.index({ removeAt: 1 }, { expireAfterSeconds: 0 });

/** A collection of kept answers, for services whose effect and answer are written in one transaction. */
export function keptAnswersIn(mongo: Mongo, name: string, clock: Clock) {
  const answers = mongo.model<AnswerDocument>(`KeptAnswer in ${name}`, schema, name);
  const live = () => ({ expireAt: { $gt: new Date(clock.now()) } });

  /** The keys that have an answer already, for a transaction that is about to insert others. */
  const existingKeys = async (keys: readonly string[], session: ClientSession): Promise<Set<string>> => {
    if (keys.length === 0) return new Set();
    const found = await answers.find({ _id: { $in: [...keys] }, ...live() }, { _id: 1 }, { session }).lean();
    return new Set(found.map(({ _id }) => _id));
  };

  /** Writes answers to keys without one. Conflicts with a concurrent answer to the same key. */
  const insert = async (kept: readonly KeptAnswer[], session: ClientSession): Promise<void> => {
    if (kept.length === 0) return;
    const removeAt = new Date(Date.now() + REMOVE_AFTER_MS);
    const stored = await Promise.all(kept.map(toStoredAnswer));
    const writes = stored.map((answer) => ({
      replaceOne: {
        filter: { _id: answer.key, expireAt: { $lte: new Date(clock.now()) } },
        replacement: { ...answer, _id: answer.key, removeAt },
        upsert: true,
      },
    }));
    await answers.bulkWrite(writes, { session });
  };

  return {
    createIndexes: () => prepareModels([answers]),

    find: async (key: string): Promise<KeptAnswer | undefined> => {
      const projection = { _id: 0, removeAt: 0 };
      const found = await readDurably(mongo, (options) =>
        answers.findOne({ _id: key, ...live() }, projection, options).lean<StoredAnswer>(),
      );
      return found && toKeptAnswer(found);
    },

    existingKeys,
    insert,

    /**
     * Writes the answer to a key in the transaction of its effect. Rejects with `idempotency_key_in_flight` if another
     * replica has answered the key: the transaction is undone, and the other answer is given.
     */
    insertUnlessAnswered: async (answer: KeptAnswer, session: ClientSession): Promise<void> => {
      if ((await existingKeys([answer.key], session)).size > 0) throw keyInFlight();
      await insert([answer], session);
    },

    /** Empties kept answers whose resource was erased. The keys stay used. */
    empty: async (keys: readonly string[], session: ClientSession): Promise<void> => {
      if (keys.length === 0) return;
      await answers.updateMany(
        { _id: { $in: [...keys] } },
        { $set: { data: new driver.Binary(), fingerprint: 'erased', warnings: [] }, $unset: { deflated: 1 } },
        { session },
      );
    },
  } satisfies KeptAnswers & Record<string, unknown>;
}
