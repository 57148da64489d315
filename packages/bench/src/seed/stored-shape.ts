// What the bench has to know of how the jobs service stores its jobs, besides the fields that a copy replaces.

/** Collections that the service cannot derive from its jobs; it makes all others anew when it starts. */
export const ORIGINAL: ReadonlySet<string> = new Set([
  'jobs',
  'counters',
  'tombstones',
  'category_names',
  'settlements',
]);

/** Jobs that the service has not counted for its lists yet. */
export const uncounted = { counted: null };

/** Fields that mark a job as counted. A copy is not. */
export const COUNTED_FIELDS = ['counted', 'miscounted'] as const;

/** Whether the service still has work to do about a new job: its short link, or an event in the job. */
export const isBusy = ({ events, linkPending }: Readonly<Record<string, unknown>>): boolean =>
  linkPending === true || (Array.isArray(events) && events.length > 0);

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
