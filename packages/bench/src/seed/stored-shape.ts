// How the jobs service stores its jobs, as far as the bench depends on it.

/** A job as the service stored it. */
export type StoredJob = Readonly<Record<string, unknown>> & { readonly _id: number };

/** The collection with the relay's position in the oplog. Without it the relay starts after all copies. */
export const RELAY = 'relay';

/** Marks a job that the totals of its company's lists do not count yet. */
export const uncounted = { uncounted: true };

/** A job that the totals of its company's lists count under its status. */
export const counted = ({ uncounted: _uncounted, ...job }: StoredJob): StoredJob => ({
  ...job,
  counted: job['statusId'],
});

/** One document per company: how many jobs it has of each status. */
export const LIST_TOTALS = 'list_totals';
export const totalOf = (statusId: number): string => `totals.${statusId}`;

/** Whether a job has no short link yet. */
export const isLinkPending = ({ linkPending }: Readonly<Record<string, unknown>>): boolean =>
  linkPending === true;

/** Filter for the jobs that are due at an instant. */
export const dueAt = (instant: number) => ({ nextTransitionAt: { $lte: new Date(instant) } });

/** The update of a transition, with the change of its event. */
export const plainTransition = (instant: number) => ({
  $set: {
    statusId: 2,
    displayDate: new Date(instant).toISOString().slice(0, 10),
    change: { kind: 'closed', version: 2, companyId: 1, statusId: 2, at: new Date(instant), by: 'bench' },
  },
  $inc: { version: 1 },
  $unset: { nextTransitionAt: '' as const },
});
