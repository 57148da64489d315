import { type GroupedWrite, groupedWrites } from './grouped-writes.ts';
import type { Mongo } from './mongo.ts';

interface GroupedInsertsOptions<D> {
  readonly mongo: Mongo;
  readonly collection: string;
  readonly isLarge?: (document: D) => boolean;
}

/** Inserts documents in groups. */
export const groupedInserts = <D extends { readonly _id: unknown }>({
  ...options
}: GroupedInsertsOptions<D>): ((document: D, commitBy: number) => Promise<GroupedWrite>) =>
  groupedWrites({
    ...options,
    method: 'insert',
    bodyOf: (documents) => ({ documents }),
  });
