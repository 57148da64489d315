import type { Mongo } from '@joblisting/service-kit';
import type { JobDocument } from '../models/job.ts';
import type { TombstoneDocument } from '../models/tombstone.ts';
import type { CountedPlace, ListDaysDocument, ListTotalsDocument } from './list-documents.ts';

/** What the lists count by, until they have totals by status. */
type Counted<T> = Omit<T, 'counted'> & {
  readonly counted?: CountedPlace | null;
  readonly miscounted?: CountedPlace;
};

export const jobsName = 'jobs';
export const tombstonesName = 'tombstones';
export const listTotalsName = 'list_totals';

export const jobsOf = (mongo: Mongo) => mongo.collection<Counted<JobDocument>>(jobsName);
export const tombstonesOf = (mongo: Mongo) => mongo.collection<Counted<TombstoneDocument>>(tombstonesName);
export const listTotalsOf = (mongo: Mongo) => mongo.collection<ListTotalsDocument>(listTotalsName);
export const listDaysOf = (mongo: Mongo) => mongo.collection<ListDaysDocument>('list_days');

export const uncounted = { counted: null } as const;
export const neverCounted = { ...uncounted, miscounted: null } as const;
export const stillCounted = { uncounted: true } as const;

export const NEWEST_FIRST = { displayDate: -1, _id: -1 } as const;

export const uncountedIndex = 'uncounted';
export const neverCountedIndex = 'never_counted';
export const dueOfCompanyIndex = 'due_of_company';
export const closingIndex = 'closing';
