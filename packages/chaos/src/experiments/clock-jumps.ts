import { jobBody } from '@joblisting/testing/system';
import { inParallel } from '@joblisting/testing';
import type { Experiment } from '../experiment.ts';
import { type Figure, none, note, sized } from '../figures.ts';
import { untilDecided } from '../load/decided.ts';
import { listAll } from '../load/jobs.ts';
import { compareEvents, type Expected, followEvents } from '../load/ledger.ts';
import { DAY_MS, dayOf } from '../load/noon.ts';
import { untilLinked, storedJobs } from '../load/stored-jobs.ts';
import { advance, randomDates, statusAt, type Timeline } from '../load/timeline.ts';
import { untilNone } from '../load/until-none.ts';
import { type Random, randomOf } from '../random.ts';
import { noons } from '../system/clock.ts';
import type { Setting } from '../system/setting.ts';
import { pairs } from '../system/shapes.ts';
import { noneCrashed } from '../system/victims.ts';
import type { World } from '../system/world.ts';

const JOBS = { ci: 40, full: 400 };
const RANDOM_JUMPS = { ci: 0, full: 12 };
const AT_ONCE = 8;
const SETTLE_LIMIT_MS = 60_000;
const MINUTE_MS = 60_000;

/** A move of the clock, with or without a scheduler. */
interface Jump {
  readonly days: number;
  readonly isScheduled: boolean;
}

/** A day ahead and two back without a scheduler, five ahead with one; then random jumps. */
const jumpsOf = (random: Random, more: number): Jump[] => [
  { days: 1, isScheduled: false },
  { days: -2, isScheduled: false },
  { days: 5, isScheduled: true },
  ...Array.from({ length: more }, () => ({
    days: random.chance(0.3) ? -random.whole(1, 3) : random.whole(1, 4),
    isScheduled: random.chance(0.5),
  })),
];

/** Restarts jobs and schedulers with a clock that has jumped forward or back. */
export const clockJumps: Experiment = {
  name: 'clock-jumps',
  run: (run) =>
    run.systems.use(pairs, async (setting) => {
      const { servers, fleet, world } = setting;
      const random = randomOf(run.seed);
      const replicas = fleet.replicas('scheduler').length;
      // A minute past noon, so that the duration of the start does not matter.
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
      // An event that was due by the furthest clock so far is not early, even if it is published after a jump back.
      const furthestAt = (machineTime: number): number =>
        Math.max(...moves.filter(({ at }) => at <= machineTime).map(({ offsetMs }) => offsetMs));

      await moveTo(now, replicas);
      const jobs = await createJobs(world, random, sized(run, JOBS), now);
      const ids = new Set(jobs.map(({ jobId }) => jobId));
      const created = await untilLinked(servers, ids);
      for (const job of jobs) job.version = created.get(job.jobId)?.version ?? 0;
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
          const read = await readAll(world, jobs);
          reads += read.reads;
          wrong.push(...read.wrong.map((what) => `${what} after a jump of ${days} days`));
          const unsettled = await untilSettled(setting, jobs);
          wrong.push(...unsettled.map((what) => `${what} after a jump of ${days} days`));
          run.say(`${days} days: ${expected.length} transitions so far, ${wrong.length} wrong`);
        }
        const received = await ledger.untilQuiet();
        const ofJumps = received.filter(({ jobId, version }) => version > (versions.get(jobId) ?? Infinity));
        const differences = compareEvents(expected, ofJumps, furthestAt);
        const of = `${ofJumps.length} events`;
        const figures: Figure[] = [
          none('Reads or stored jobs with a wrong status', wrong, `${reads} reads`),
          none('Events that never came', differences.missing, of),
          none('Events that came twice or unexpectedly', differences.extra, of),
          none('Events that came early', differences.early, of),
          noneCrashed(fleet),
          note('Jumps, in days', jumps.map(({ days }) => days).join(', ')),
        ];
        return figures;
      } finally {
        await ledger.close();
        await fleet.replace(['scheduler'], { replicas });
      }
    }),
};

async function createJobs(world: World, random: Random, count: number, now: number): Promise<Timeline[]> {
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

/** Reads every job by its id, before the first list, then in the list. */
async function readAll({ api, companyId }: World, jobs: readonly Timeline[]) {
  const wrong: string[] = [];
  const compare = ({ jobId, statusId }: Timeline, where: string, actual: unknown): void => {
    if (actual !== statusId)
      wrong.push(`job ${jobId} has status ${String(actual)} ${where}, not ${statusId}`);
  };
  await inParallel(jobs, AT_ONCE, async (job) => {
    const { answer } = await untilDecided(() => api.get(`/jobs/${job.jobId}`));
    compare(job, 'by id', answer.json.data?.status.id);
  });
  const listed = new Map((await listAll(api, companyId)).map(({ id, status }) => [id, status.id]));
  for (const job of jobs) compare(job, 'in the list', listed.get(job.jobId));
  return { wrong, reads: jobs.length * 2 };
}

/** Resolves to the jobs whose stored state is still wrong at the limit. */
function untilSettled({ servers }: Setting, jobs: readonly Timeline[]): Promise<readonly string[]> {
  const ids = new Set(jobs.map(({ jobId }) => jobId));
  const findUnsettled = async (): Promise<string[]> => {
    const stored = await storedJobs(servers, ids);
    return jobs.flatMap(({ jobId, version, statusId }) => {
      const one = stored.get(jobId);
      const isSettled = one?.version === version && one.statusId === statusId;
      return isSettled ? [] : [`job ${jobId} is stored with version ${one?.version}, not ${version}`];
    });
  };
  return untilNone(findUnsettled, { limitMs: SETTLE_LIMIT_MS, everyMs: 200, what: 'every transition' });
}
