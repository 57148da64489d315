import { INT32_MAX } from '@joblisting/contracts';
import { Schema } from 'mongoose';
import { schemaOptions } from './models.ts';
import type { Mongo } from './mongo.ts';

/** One document per kind of id: the first id that no replica has taken yet. */
const schema = new Schema(
  { _id: { type: String, required: true }, next: { type: Number, required: true } },
  { ...schemaOptions, collection: 'counters' },
);

export interface NextId {
  (): Promise<number>;
  /** Takes back an id that nothing was stored under: this replica hands it out again. */
  readonly giveBack: (id: number) => void;
}

/**
 * Hands out Int32 ids, taken from the database in blocks, so that most cost no round trip. Every replica has its own
 * block; a restart leaves the rest of it unused. Throws RangeError when Int32 is used up.
 * @param first the first id ever handed out for this name.
 */
export function idBlocks(mongo: Mongo, name: string, blockSize = 100, first = 1): NextId {
  const counters = mongo.model('Counter', schema);
  let next = 0;
  let end = 0;
  let refill: Promise<void> | undefined;
  const unused: number[] = [];

  const takeBlock = async () => {
    // Two steps, as an upsert with $inc could not start from `first`.
    await counters.updateOne({ _id: name }, { $setOnInsert: { next: first } }, { upsert: true });
    const before = await counters.findOneAndUpdate({ _id: name }, { $inc: { next: blockSize } }).lean();
    if (!before) throw new Error(`the counter ${name} is gone`);
    next = before.next;
    end = before.next + blockSize;
  };

  const take = async () => {
    const again = unused.pop();
    if (again !== undefined) return again;
    while (next >= end) {
      refill ??= takeBlock().finally(() => {
        refill = undefined;
      });
      await refill;
    }
    const id = next++;
    if (id > INT32_MAX) throw new RangeError(`ids for ${name} are used up`);
    return id;
  };
  return Object.assign(take, { giveBack: (id: number) => void unused.push(id) });
}
