import { type StatusId, status } from '@joblisting/contracts';

/** How many jobs of one company have each status, or by how many these numbers change. */
export type Totals = Readonly<Partial<Record<StatusId, number>>>;

/** How many jobs with these fields have a last write that the stored totals do not include yet. */
export interface Uncounted {
  /** Absent: they are deleted. */
  readonly statusId?: StatusId | null | undefined;
  /** The status under which the stored totals count them. Absent: they do not. */
  readonly counted?: StatusId | null | undefined;
  readonly jobs: number;
}

/** The change of the stored totals that includes these jobs. */
export function deltaOf(uncounted: readonly Uncounted[]): Totals {
  const delta: Partial<Record<StatusId, number>> = {};
  const add = (statusId: StatusId | null | undefined, by: number): void => {
    if (statusId) delta[statusId] = (delta[statusId] ?? 0) + by;
  };
  for (const { statusId, counted, jobs } of uncounted) {
    add(statusId, jobs);
    add(counted, -jobs);
  }
  return delta;
}

/** A missing total is 0. */
export const isSame = (one: Totals, other: Totals): boolean =>
  Object.values(status).every((statusId) => (one[statusId] ?? 0) === (other[statusId] ?? 0));

/** How long a list is: of one status, or of all. */
export function totalOf(stored: Totals, delta: Totals, statusId: StatusId | undefined): number {
  const sum = (totals: Totals): number =>
    statusId === undefined
      ? Object.values(totals).reduce((all, jobs) => all + jobs, 0)
      : (totals[statusId] ?? 0);
  return sum(stored) + sum(delta);
}

/** The rows of a page, counted from the nearer end of its list, because the database reads the rows that it skips. */
export interface PageRows {
  readonly fromEnd: boolean;
  readonly skip: number;
  readonly limit: number;
}

/** Undefined for a page past the end. `offset` counts from 0. */
export function rowsOf(total: number, offset: number, pageSize: number): PageRows | undefined {
  if (offset >= total) return undefined;
  const limit = Math.min(pageSize, total - offset);
  const behind = total - offset - limit;
  return behind < offset ? { fromEnd: true, skip: behind, limit } : { fromEnd: false, skip: offset, limit };
}
