import type { Mongo } from '@joblisting/service-kit';
import type { Counts, JobCounts } from '../domain/tally.ts';

/** An event that was counted. */
export interface SeenEvent {
  readonly _id: string;
  readonly at: Date;
}

/** Totals of a job. `dirty` while `jobs` may not have them yet. */
export interface Counter extends Counts {
  readonly _id: number;
  readonly dirty?: true;
}

/** What a transaction adds to totals, or a part of it, until it is folded into them. */
export interface Addition {
  readonly adds: readonly JobCounts[];
}

/** One day more than promised (API decisions, "Metrics"), for clocks that differ and for the server's sweeps. */
const REMEMBER_SECONDS = 8 * 24 * 3600;

export const seenOf = (mongo: Mongo) => mongo.collection<SeenEvent>('seen');
export const countersOf = (mongo: Mongo) => mongo.collection<Counter>('counters');
export const additionsOf = (mongo: Mongo) => mongo.collection<Addition>('additions');

export async function createIndexes(mongo: Mongo): Promise<void> {
  await seenOf(mongo).createIndex({ at: 1 }, { expireAfterSeconds: REMEMBER_SECONDS });
  await countersOf(mongo).createIndex({ dirty: 1, _id: 1 }, { partialFilterExpression: { dirty: true } });
  await additionsOf(mongo).createIndex({ _id: 1 });
}
