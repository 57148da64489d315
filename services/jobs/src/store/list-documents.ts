import type { mongo as driver } from 'mongoose';
import type { Place } from '../domain/list-place.ts';

/** A place in which a job was counted. It stands while the counts of the company are those begun at `since`. */
export interface CountedPlace extends Place {
  readonly since?: Date;
  readonly batch: BatchId;
}
export type BatchId = driver.ObjectId;

/** Jobs that are in the counts already, while they do not say so themselves yet; `gone`: of deleted ones. */
export interface OpenBatch {
  readonly batch: BatchId;
  readonly jobs: readonly { readonly id: number; readonly companyId: number; readonly place: CountedPlace }[];
  readonly gone: readonly number[];
}

/** How many jobs a company has by status, but for those that are not counted yet. Derived from the jobs. */
export interface ListTotalsDocument {
  readonly _id: number;
  readonly totals?: Readonly<Record<string, number>>;
  /** When it was decided that its counts begin anew; absent where it never was. */
  readonly since?: Date;
  /** Rises with each write, so that no two of them pass each other. */
  readonly writes: number;
  /** The counts are wrong or missing: all of the company's are to be made anew. */
  readonly recount?: true;
  /** Of no company's: at most one batch at a time is under way. */
  readonly open?: OpenBatch;
}

/** The `_id` in `list_totals` that is no company's: it says that all of them were looked at. */
export const ALL_COMPANIES = 0;

/** The same by day of displayDate, then status; one document a company and month: `<company>/<YYYY-MM>`. */
export interface ListDaysDocument {
  readonly _id: string;
  readonly days: Readonly<Record<string, Readonly<Record<string, number>>>>;
}
