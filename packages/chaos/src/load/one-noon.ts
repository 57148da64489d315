import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@joblisting/testing';
import { type Figure, none } from '../figures.ts';
import type { Setting } from '../system/setting.ts';
import type { DueJob } from './due-jobs.ts';
import { compareEvents, type Expected, followEvents } from './ledger.ts';
import type { Noon } from './noon.ts';
import { calmJobs, type StoredJob, storedJobs } from './stored-jobs.ts';

const SETTLE_LIMIT_MS = 180_000;
const TELL_LIMIT_MS = 60_000;
/** The last look at what is stored before noon must be over by then. */
const LAST_LOOK_MS = 700;

interface Begun {
  readonly noon: Noon;
  /** What goes on around noon. */
  readonly meanwhile?: Promise<void>;
}

/**
 * Follows jobs that are due at one noon through it: what `begin` brings about must not apply a transition early,
 * twice or never, nor tell of it so.
 */
export async function liveThroughNoon(
  { servers, world }: Setting,
  jobs: readonly DueJob[],
  begin: () => Promise<Begun>,
): Promise<{ figures: Figure[]; settledMs: number }> {
  const due = new Map(jobs.map((job) => [job.id, job]));
  const ids = new Set(due.keys());
  const before = await calmJobs(servers, ids);
  const ledger = await followEvents(servers, `noon-${world.companyId}`);
  try {
    const { noon, meanwhile } = await begin();
    const lastLook = async (): Promise<StoredJob[]> => {
      await delay(Math.max(0, noon.noonAt - Date.now() - LAST_LOOK_MS));
      const stored = [...(await storedJobs(servers, ids)).values()];
      if (Date.now() >= noon.noonAt) return [];
      return stored.filter(({ _id, version }) => version !== before.get(_id)?.version);
    };
    const [early] = await Promise.all([lastLook(), meanwhile]);

    const isSettled = ({ _id, version, statusId }: StoredJob): boolean =>
      version === (before.get(_id)?.version ?? 0) + 1 && statusId === due.get(_id)?.after;
    let unsettled: StoredJob[] = [];
    const look = async (): Promise<boolean> => {
      unsettled = [...(await storedJobs(servers, ids)).values()].filter((job) => !isSettled(job));
      return unsettled.length === 0;
    };
    const everyMs = Math.max(100, jobs.length / 50);
    await waitFor(look, { limitMs: SETTLE_LIMIT_MS, everyMs, what: 'every transition' }).catch(
      () => undefined,
    );
    const settledMs = Date.now() - noon.noonAt;

    // What was published of a job when it was made is no part of this.
    const isOfNoon = ({ jobId, version }: Expected): boolean =>
      version > (before.get(jobId)?.version ?? Infinity);
    const expected = jobs.map(({ id, after }): Expected => ({
      jobId: id,
      version: (before.get(id)?.version ?? 0) + 1,
      statusId: after,
      at: noon.instant,
    }));
    await waitFor(() => ledger.told.filter(isOfNoon).length >= expected.length, {
      limitMs: TELL_LIMIT_MS,
      everyMs: 200,
      what: 'the events',
    }).catch(() => undefined);
    const told = await ledger.untilCalm();
    const ofNoon = told.filter(isOfNoon);
    const found = compareEvents(expected, ofNoon, () => noon.clockOffsetMs);
    const of = `${jobs.length} jobs`;
    const ofEvents = `${ofNoon.length} events`;
    return {
      settledMs,
      figures: [
        none('Transitions applied early', early.map(shown), of),
        none('Transitions not applied once', unsettled.map(shown), of),
        none('Events that never came', found.missing, ofEvents),
        none('Events that came twice, or out of nothing', found.extra, ofEvents),
        none('Events that came early', found.early, ofEvents),
      ],
    };
  } finally {
    await ledger.close();
  }
}

const shown = ({ _id, version, statusId }: StoredJob): string =>
  `job ${_id} at version ${version}, status ${statusId}`;
