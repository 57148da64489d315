// What the bench has to know of how the jobs service stores its jobs, besides the fields that a copy replaces.

/** Collections that the service cannot derive from its jobs; all others it makes anew when it starts. */
export const ORIGINAL: ReadonlySet<string> = new Set([
  'jobs',
  'counters',
  'tombstones',
  'category_names',
  'settlements',
]);

/** Jobs that the service has not counted for its lists yet: it does so by itself, while it runs. */
export const uncounted = { counted: null };

/** What says of a job that it is counted. A copy is not. */
export const COUNTED_FIELDS = ['counted', 'miscounted'] as const;

/** Jobs whose next transition has come at an instant. */
export const dueAt = (instant: number) => ({ nextTransitionAt: { $lte: new Date(instant) } });

/** Where transitions wait that are not published yet, by collection. */
export const untold = {
  jobs: { 'events.recordedAt': { $exists: true } },
  settlements: {},
} as const;

/** What a transition changes of a job, for one plain updateMany of the same. */
export const plainTransition = (instant: number) => ({
  $set: { statusId: 2, displayDate: new Date(instant).toISOString().slice(0, 10) },
  $inc: { version: 1 },
  $unset: { nextTransitionAt: '' as const },
});

/** The same, with the event of each job in the job. */
export const plainTransitionWithEvent = (instant: number) => ({
  ...plainTransition(instant),
  $push: {
    events: {
      key: 'job:1000000000:2',
      version: 2,
      statusId: 2,
      at: new Date(instant),
      recordedAt: new Date(),
    },
  },
});
