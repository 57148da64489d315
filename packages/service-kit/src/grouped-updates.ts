import type { mongo as driver } from 'mongoose';
import { type GroupedWrite, groupedWrites } from './grouped-writes.ts';
import type { Mongo } from './mongo.ts';

/** A change of the one document that the filter names: by its `_id`, and by the shard key, if there will be one. */
export interface Update<D> {
  readonly filter: driver.Filter<D> & { readonly _id: number };
  readonly change: driver.UpdateFilter<D>;
}

/** `lost`: no document is as the filter says, or none at all. */
export type Updated = GroupedWrite | 'lost';

interface GroupedUpdatesOptions<D> {
  readonly mongo: Mongo;
  readonly collection: string;
  readonly isLarge?: (update: Update<D>) => boolean;
}

/**
 * What MongoDB 6 answers to several updates does not say which of them have found nothing. So each may insert then, but
 * what can not be inserted: a value within the number that is its `_id`. That is refused, and a refusal names the update.
 */
const REFUSE_TO_INSERT = { '_id.none': true };
/** What MongoDB 6 answers (PathNotViable), and what one would that looks first at what must not change (ImmutableField). */
const NOT_INSERTED: ReadonlySet<unknown> = new Set([28, 66]);

/** Updates documents whose `_id` is a number, in groups. */
export const groupedUpdates = <D extends { readonly _id: number }>({
  ...options
}: GroupedUpdatesOptions<D>): ((update: Update<D>, commitBy: number) => Promise<Updated>) =>
  groupedWrites<Update<D>, 'lost'>({
    ...options,
    method: 'update',
    bodyOf: (updates) => ({
      updates: updates.map(({ filter, change }) => ({
        q: filter,
        u: { ...change, $setOnInsert: REFUSE_TO_INSERT },
        upsert: true,
      })),
    }),
    outcomeOf: ({ code }) => (NOT_INSERTED.has(code) ? 'lost' : undefined),
  });
