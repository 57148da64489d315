import { INT32_MAX } from '@joblisting/contracts';
import type { Mongo } from './mongo.ts';

interface Counter {
  readonly _id: string;
  readonly next: number;
}

export type NextId = () => Promise<number>;

/**
 * Hands out Int32 ids, taken from the database in blocks, so that most cost no round trip. Every replica has its
 * own block; what is left of one at a restart is never used. Throws RangeError when Int32 is used up.
 * @param first the first id ever handed out for this name.
 */
export function idBlocks(mongo: Mongo, name: string, blockSize = 100, first = 1): NextId {
  const counters = mongo.collection<Counter>('counters');
  let next = 0;
  let end = 0;
  let refill: Promise<void> | undefined;

  const takeBlock = async () => {
    // Two steps, both idempotent or atomic: an upsert with $inc could not start from `first`.
    await counters.updateOne({ _id: name }, { $setOnInsert: { next: first } }, { upsert: true });
    const before = await counters.findOneAndUpdate({ _id: name }, { $inc: { next: blockSize } });
    if (!before) throw new Error(`the counter ${name} is gone`);
    next = before.next;
    end = before.next + blockSize;
  };

  return async () => {
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
}
