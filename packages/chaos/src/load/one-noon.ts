import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@joblisting/testing';
import { type Figure, none } from '../figures.ts';
import type { Setting } from '../system/setting.ts';
import type { DueJob } from './due-jobs.ts';
import { compareEvents, type Expected, followEvents } from './ledger.ts';
import type { Noon } from './noon.ts';
import { type StoredJob, storedJobs, untilLinked } from './stored-jobs.ts';
import { untilNone } from './until-none.ts';

const SETTLE_LIMIT_MS = 180_000;
const PUBLISH_LIMIT_MS = 60_000;
/** The last check of the database begins this long before noon. */
const LAST_CHECK_MS = 700;

interface StartedNoon {
  readonly noon: Noon;
  /** Faults around noon. */
  readonly meanwhile?: Promise<void>;
}

/**
 * Observes jobs that are due at one noon. `begin` moves the clock and may cause faults. No transition and no event may
 * come early, twice or never.
 */
export async function observeNoon(
  { servers, world }: Setting,
  jobs: readonly DueJob[],
  begin: () => Promise<StartedNoon>,
): Promise<{ figures: Figure[]; settledMs: number }> {
  const due = new Map(jobs.map((job) => [job.id, job]));
  const ids = new Set(due.keys());
  const before = await untilLinked(servers, ids);
  const ledger = await followEvents(servers, `noon-${world.companyId}`);
  try {
    const { noon, meanwhile } = await begin();
    const lastCheck = async (): Promise<StoredJob[]> => {
      await delay(Math.max(0, noon.noonAt - Date.now() - LAST_CHECK_MS));
      const stored = [...(await storedJobs(servers, ids)).values()];
      if (Date.now() >= noon.noonAt) return [];
      return stored.filter(({ _id, version }) => version !== before.get(_id)?.version);
    };
    const [early] = await Promise.all([lastCheck(), meanwhile]);

    const isSettled = ({ _id, version, statusId }: StoredJob): boolean =>
      version === (before.get(_id)?.version ?? 0) + 1 && statusId === due.get(_id)?.after;
    const everyMs = Math.max(100, jobs.length / 50);
    const unsettled = await untilNone(
      async () => [...(await storedJobs(servers, ids)).values()].filter((job) => !isSettled(job)),
      { limitMs: SETTLE_LIMIT_MS, everyMs, what: 'every transition' },
    );
    const settledMs = Date.now() - noon.noonAt;

    // The events of the creation do not count.
    const isOfNoon = ({ jobId, version }: Expected): boolean =>
      version > (before.get(jobId)?.version ?? Infinity);
    const expected = jobs.map(({ id, after }): Expected => ({
      jobId: id,
      version: (before.get(id)?.version ?? 0) + 1,
      statusId: after,
      at: noon.instant,
    }));
    await waitFor(() => ledger.received.filter(isOfNoon).length >= expected.length, {
      limitMs: PUBLISH_LIMIT_MS,
      everyMs: 200,
      what: 'the events',
    }).catch(() => undefined);
    const received = await ledger.untilQuiet();
    const ofNoon = received.filter(isOfNoon);
    const differences = compareEvents(expected, ofNoon, () => noon.clockOffsetMs);
    const of = `${jobs.length} jobs`;
    const ofEvents = `${ofNoon.length} events`;
    return {
      settledMs,
      figures: [
        none('Transitions applied early', early.map(shown), of),
        none('Transitions not applied exactly once', unsettled.map(shown), of),
        none('Events that never came', differences.missing, ofEvents),
        none('Events that came twice or unexpectedly', differences.extra, ofEvents),
        none('Events that came early', differences.early, ofEvents),
      ],
    };
  } finally {
    await ledger.close();
  }
}

const shown = ({ _id, version, statusId }: StoredJob): string =>
  `job ${_id} at version ${version}, status ${statusId}`;
