import type { Mongo, StoredAnswer } from '@joblisting/service-kit';
import type { JobDocument, OutboxEvent, SettlementId } from './job-document.ts';
import type { CountedPlace, ListDaysDocument, ListTotalsDocument } from './list-documents.ts';
import type { SettlementDocument } from './settlement-document.ts';

/** The last name of a category that this service was told, so that a job written meanwhile gets it too. */
export interface CategoryNameDocument {
  readonly _id: number;
  readonly name: string;
  readonly version: number;
}

/**
 * A deleted job whose traces in other services are removed, or are still to be (`cleaning`), with the transitions
 * that were not published yet, and the answer to the request that created it.
 */
export interface TombstoneDocument {
  readonly _id: number;
  readonly companyId: number;
  readonly deletedAt: Date;
  readonly events?: readonly OutboxEvent[];
  /** As the job had it. */
  readonly settledBy?: SettlementId;
  readonly idempotency?: StoredAnswer;
  readonly cleaning?: true;
  /** The lists may still count the job: where, if they do. */
  readonly uncounted?: true;
  readonly counted?: CountedPlace;
  /** When it may be forgotten; absent until it is cleaned. */
  readonly expireAt?: Date;
}

export const jobsName = 'jobs';
export const categoryNamesName = 'category_names';
export const tombstonesName = 'tombstones';
export const listTotalsName = 'list_totals';
export const settlementsName = 'settlements';

export const jobsOf = (mongo: Mongo) => mongo.collection<JobDocument>(jobsName);
export const categoryNamesOf = (mongo: Mongo) => mongo.collection<CategoryNameDocument>(categoryNamesName);
export const tombstonesOf = (mongo: Mongo) => mongo.collection<TombstoneDocument>(tombstonesName);
export const settlementsOf = (mongo: Mongo) => mongo.collection<SettlementDocument>(settlementsName);
export const listTotalsOf = (mongo: Mongo) => mongo.collection<ListTotalsDocument>(listTotalsName);
export const listDaysOf = (mongo: Mongo) => mongo.collection<ListDaysDocument>('list_days');

/** Jobs that the lists do not count yet: a job that anything else puts here is one of them by itself. */
export const uncounted = { counted: null } as const;
/** Those of them that the lists never counted, in any place: how many jobs a company has depends on no others. */
export const neverCounted = { ...uncounted, miscounted: null } as const;
/** Deleted jobs that the lists may still count. */
export const stillCounted = { uncounted: true } as const;

/** How lists are ordered (API decisions, "Paging"), and the indexes that they are read by. */
export const NEWEST_FIRST = { displayDate: -1, _id: -1 } as const;

export const referenceIndex = 'reference';
export const uncountedIndex = 'uncounted';
export const neverCountedIndex = 'never_counted';
export const dueIndex = 'due';
export const dueOfCompanyIndex = 'due_of_company';
export const cleaningIndex = 'cleaning';
/** What a company's jobs are closed by, in the order in which its lists show them then. */
export const closingIndex = 'closing';

export const outboxIndex = {
  name: 'outbox',
  key: { 'events.recordedAt': 1 },
  partialFilterExpression: { 'events.recordedAt': { $exists: true } },
} as const;

/** A key is used once. In the jobs, this is what makes one job of many requests with one key. */
const idempotencyKeyIndex = {
  name: 'idempotency_key',
  key: { 'idempotency.key': 1 },
  unique: true,
  partialFilterExpression: { 'idempotency.key': { $exists: true } },
} as const;

/** Makes every index. Until it has resolved, the service must not work: uniqueness rests on them. */
export async function createIndexes(mongo: Mongo): Promise<void> {
  await jobsOf(mongo).createIndexes([
    {
      name: referenceIndex,
      key: { companyId: 1, referenceId: 1 },
      unique: true,
      partialFilterExpression: { referenceId: { $exists: true } },
    },
    { name: 'list', key: { companyId: 1, ...NEWEST_FIRST } },
    { name: 'list_by_status', key: { companyId: 1, statusId: 1, ...NEWEST_FIRST } },
    {
      name: dueOfCompanyIndex,
      key: { companyId: 1, nextTransitionAt: 1 },
      partialFilterExpression: { nextTransitionAt: { $exists: true } },
    },
    {
      name: closingIndex,
      key: { companyId: 1, closeAt: 1, _id: 1, nextTransitionAt: 1, statusId: 1 },
      partialFilterExpression: { nextTransitionAt: { $exists: true } },
    },
    {
      name: dueIndex,
      key: { nextTransitionAt: 1 },
      partialFilterExpression: { nextTransitionAt: { $exists: true } },
    },
    outboxIndex,
    idempotencyKeyIndex,
    {
      name: 'idempotency_expiry',
      key: { 'idempotency.expireAt': 1 },
      partialFilterExpression: { 'idempotency.expireAt': { $exists: true } },
    },
    {
      name: 'category',
      key: { 'categories.id': 1, 'categories.version': 1 },
      partialFilterExpression: { 'categories.id': { $exists: true } },
    },
    {
      name: 'active_categories',
      key: { companyId: 1, statusId: 1, 'categories.id': 1 },
      partialFilterExpression: { 'categories.id': { $exists: true } },
    },
    { name: 'link_pending', key: { linkPending: 1, _id: 1 }, partialFilterExpression: { linkPending: true } },
    { name: uncountedIndex, key: { companyId: 1, _id: 1 }, partialFilterExpression: uncounted },
    { name: neverCountedIndex, key: { companyId: 1, _id: 1 }, partialFilterExpression: neverCounted },
  ]);
  await tombstonesOf(mongo).createIndexes([
    outboxIndex,
    idempotencyKeyIndex,
    { name: cleaningIndex, key: { deletedAt: 1 }, partialFilterExpression: { cleaning: true } },
    { name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 },
    { name: uncountedIndex, key: { companyId: 1, _id: 1 }, partialFilterExpression: stillCounted },
  ]);
  await settlementsOf(mongo).createIndexes([
    { name: 'open', key: { open: 1 }, partialFilterExpression: { open: true } },
    { name: 'outbox', key: { recordedAt: 1 } },
  ]);
  await listDaysOf(mongo).createIndex({ _id: 1 });
  await listTotalsOf(mongo).createIndexes([
    { name: 'recount', key: { recount: 1, _id: 1 }, partialFilterExpression: { recount: true } },
  ]);
}
