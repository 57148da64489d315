// What the bench has to know of how the jobs service stores its jobs, besides the fields that a copy replaces.

/** The relay's position in the oplog. Without it the service begins at its next start, behind all copies. */
export const RELAY = 'relay';

/** Marks a job that the totals of its company's lists do not count yet. */
export const uncounted = { uncounted: true };

/** The field that says what the totals count a job as. */
export const COUNTED_FIELD = 'counted';

/** Whether the service has still to make the short link of a new job. */
export const isBusy = ({ linkPending }: Readonly<Record<string, unknown>>): boolean => linkPending === true;

/** Jobs whose next transition has come at an instant. */
export const dueAt = (instant: number) => ({ nextTransitionAt: { $lte: new Date(instant) } });

/** A transition as one plain updateMany of the same size: what changes, and the change as its event tells it. */
export const plainTransition = (instant: number) => ({
  $set: {
    statusId: 2,
    displayDate: new Date(instant).toISOString().slice(0, 10),
    change: { kind: 'closed', version: 2, companyId: 1, statusId: 2, at: new Date(instant), by: 'bench' },
  },
  $inc: { version: 1 },
  $unset: { nextTransitionAt: '' as const },
});
