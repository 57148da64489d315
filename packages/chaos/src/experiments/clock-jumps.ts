import { jobBody } from '@joblisting/testing/system';
import { inParallel, waitFor } from '@joblisting/testing';
import type { Experiment } from '../experiment.ts';
import { type Figure, none, note, sized } from '../figures.ts';
import { untilDecided } from '../load/decided.ts';
import { listAll } from '../load/jobs.ts';
import { compareEvents, type Expected, followEvents } from '../load/ledger.ts';
import { DAY_MS, dayOf } from '../load/noon.ts';
import { calmJobs, storedJobs } from '../load/stored-jobs.ts';
import { advance, randomDates, statusAt, type Timeline } from '../load/timeline.ts';
import { type Random, randomOf } from '../random.ts';
import { noons } from '../system/clock.ts';
import type { Setting } from '../system/setting.ts';
import { pairs } from '../system/shapes.ts';
import { noneGaveUp } from '../system/victims.ts';
import type { World } from '../system/world.ts';

const JOBS = { ci: 40, full: 400 };
const RANDOM_JUMPS = { ci: 0, full: 12 };
const AT_ONCE = 8;
const SETTLE_LIMIT_MS = 60_000;
const MINUTE_MS = 60_000;

/** How far the clock is moved, and whether a scheduler is there to notice. */
interface Jump {
  readonly days: number;
  readonly isScheduled: boolean;
}

/** One noon, three days and a jump back without a scheduler, days with one again; then whatever chance wants. */
const jumpsOf = (random: Random, more: number): Jump[] => [
  { days: 1, isScheduled: false },
  { days: -2, isScheduled: false },
  { days: 5, isScheduled: true },
  ...Array.from({ length: more }, () => ({
    days: random.chance(0.3) ? -random.whole(1, 3) : random.whole(1, 4),
    isScheduled: random.chance(0.5),
  })),
];

/** Jobs and schedulers are stopped and started with a clock that has jumped: by a noon, by days, back. */
export const clockJumps: Experiment = {
  name: 'clock-jumps',
  run: (run) =>
    run.systems.use(pairs, async (setting) => {
      const { servers, fleet, world } = setting;
      const random = randomOf(run.seed);
      const replicas = fleet.replicas('scheduler').length;
      // A minute past noon: how long the start takes decides nothing.
      let now = noons.clockJumps + MINUTE_MS;
      const moves: { readonly at: number; readonly offsetMs: number }[] = [];
      const moveTo = async (instant: number, schedulers: number): Promise<void> => {
        const offsetMs = instant - Date.now();
        moves.push({ at: Date.now(), offsetMs });
        await Promise.all([
          fleet.replace(['jobs'], { clockOffsetMs: offsetMs }),
          fleet.replace(['scheduler'], { clockOffsetMs: offsetMs, replicas: schedulers }),
        ]);
      };
      // What came by the furthest clock so far was not early, though its event may only leave after a jump back.
      const furthestAt = (machineTime: number): number =>
        Math.max(...moves.filter(({ at }) => at <= machineTime).map(({ offsetMs }) => offsetMs));

      await moveTo(now, replicas);
      const jobs = await makeJobs(world, random, sized(run, JOBS), now);
      const ids = new Set(jobs.map(({ jobId }) => jobId));
      const made = await calmJobs(servers, ids);
      for (const job of jobs) job.version = made.get(job.jobId)?.version ?? 0;
      const versions = new Map(jobs.map(({ jobId, version }) => [jobId, version]));
      const ledger = await followEvents(servers, `jumps-${world.companyId}`);
      const expected: Expected[] = [];
      const wrong: string[] = [];
      const jumps = jumpsOf(random, sized(run, RANDOM_JUMPS));
      let reads = 0;
      try {
        for (const { days, isScheduled } of jumps) {
          now += days * DAY_MS;
          await moveTo(now, isScheduled ? replicas : 0);
          for (const job of jobs) expected.push(...advance(job, now));
          const seen = await readAll(world, jobs);
          reads += seen.reads;
          wrong.push(...seen.wrong.map((what) => `${what} after a jump of ${days} days`));
          const unsettled = await untilSettled(setting, jobs);
          wrong.push(...unsettled.map((what) => `${what} after a jump of ${days} days`));
          run.say(`${days} days: ${expected.length} transitions so far, ${wrong.length} wrong`);
        }
        const told = await ledger.untilCalm();
        const ofJumps = told.filter(({ jobId, version }) => version > (versions.get(jobId) ?? Infinity));
        const found = compareEvents(expected, ofJumps, furthestAt);
        const of = `${ofJumps.length} events`;
        const figures: Figure[] = [
          none('Reads or stored jobs other than the clock demands', wrong, `${reads} reads`),
          none('Events that never came', found.missing, of),
          none('Events that came twice, or out of nothing', found.extra, of),
          none('Events that came early', found.early, of),
          noneGaveUp(fleet),
          note('Jumps, in days', jumps.map(({ days }) => days).join(', ')),
        ];
        return figures;
      } finally {
        await ledger.close();
        await fleet.replace(['scheduler'], { replicas });
      }
    }),
};

async function makeJobs(world: World, random: Random, count: number, now: number): Promise<Timeline[]> {
  const jobs: Timeline[] = [];
  await inParallel(Array(count).keys(), AT_ONCE, async (index) => {
    const dates = randomDates(random, dayOf(now));
    const body = jobBody(world.companyId, { referenceId: `jump-${index}`, ...dates });
    const { answer } = await untilDecided(() => world.api.put('/jobs', body));
    if (answer.status !== 201) throw new Error(`a job answered ${answer.status}: ${answer.text}`);
    jobs.push({ ...dates, jobId: Number(answer.json.data.id), statusId: statusAt(dates, now), version: 0 });
  });
  return jobs;
}

/** Every job by itself, before anything has listed them, then in the list. */
async function readAll({ api, companyId }: World, jobs: readonly Timeline[]) {
  const wrong: string[] = [];
  const judge = ({ jobId, statusId }: Timeline, where: string, seen: unknown): void => {
    if (seen !== statusId) wrong.push(`job ${jobId} has status ${String(seen)} ${where}, not ${statusId}`);
  };
  await inParallel(jobs, AT_ONCE, async (job) => {
    const { answer } = await untilDecided(() => api.get(`/jobs/${job.jobId}`));
    judge(job, 'by itself', answer.json.data?.status.id);
  });
  const listed = new Map((await listAll(api, companyId)).map(({ id, status }) => [id, status.id]));
  for (const job of jobs) judge(job, 'in the list', listed.get(job.jobId));
  return { wrong, reads: jobs.length * 2 };
}

/** Waits until each job is stored as it must be. */
async function untilSettled({ servers }: Setting, jobs: readonly Timeline[]): Promise<string[]> {
  const ids = new Set(jobs.map(({ jobId }) => jobId));
  let wrong: string[] = [];
  const look = async (): Promise<boolean> => {
    const stored = await storedJobs(servers, ids);
    wrong = jobs.flatMap(({ jobId, version, statusId }) => {
      const one = stored.get(jobId);
      const isSettled = one?.version === version && one.statusId === statusId;
      return isSettled ? [] : [`job ${jobId} is stored with version ${one?.version}, not ${version}`];
    });
    return wrong.length === 0;
  };
  await waitFor(look, { limitMs: SETTLE_LIMIT_MS, everyMs: 200, what: 'every transition' }).catch(
    () => false,
  );
  return wrong;
}
