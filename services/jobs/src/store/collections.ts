import { type Mongo, prepareModels, type StoredAnswer } from '@joblisting/service-kit';
import { listTotalsModel } from '../models/list-totals.ts';
import type { JobDocument, OutboxEvent, SettlementId } from './job-document.ts';
import type { StatusId } from '@joblisting/contracts';
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
  /** The totals of lists may still count the job: under this status, if they do. */
  readonly uncounted?: true;
  readonly counted?: StatusId;
  /** When it may be forgotten; absent until it is cleaned. */
  readonly expireAt?: Date;
}

export const jobsName = 'jobs';
export const categoryNamesName = 'category_names';
export const tombstonesName = 'tombstones';
export const settlementsName = 'settlements';

export const jobsOf = (mongo: Mongo) => mongo.collection<JobDocument>(jobsName);
export const categoryNamesOf = (mongo: Mongo) => mongo.collection<CategoryNameDocument>(categoryNamesName);
export const tombstonesOf = (mongo: Mongo) => mongo.collection<TombstoneDocument>(tombstonesName);
export const settlementsOf = (mongo: Mongo) => mongo.collection<SettlementDocument>(settlementsName);

export const referenceIndex = 'reference';
export const dueIndex = 'due';
export const dueOfCompanyIndex = 'due_of_company';
export const cleaningIndex = 'cleaning';

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
    { name: 'list', key: { companyId: 1, displayDate: -1, _id: -1 } },
    { name: 'list_by_status', key: { companyId: 1, statusId: 1, displayDate: -1, _id: -1 } },
    {
      name: dueOfCompanyIndex,
      key: { companyId: 1, nextTransitionAt: 1 },
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
    {
      key: { uncounted: 1, companyId: 1, statusId: 1, counted: 1 },
      partialFilterExpression: { uncounted: true },
    },
  ]);
  await tombstonesOf(mongo).createIndexes([
    outboxIndex,
    idempotencyKeyIndex,
    { name: cleaningIndex, key: { deletedAt: 1 }, partialFilterExpression: { cleaning: true } },
    { name: 'expiry', key: { expireAt: 1 }, expireAfterSeconds: 0 },
    { key: { uncounted: 1, companyId: 1, counted: 1 }, partialFilterExpression: { uncounted: true } },
  ]);
  await settlementsOf(mongo).createIndexes([
    { name: 'open', key: { open: 1 }, partialFilterExpression: { open: true } },
    { name: 'outbox', key: { recordedAt: 1 } },
  ]);
  await prepareModels([listTotalsModel(mongo)]);
}
