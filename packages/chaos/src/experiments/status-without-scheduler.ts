import { setTimeout as delay } from 'node:timers/promises';
import { type Experiment, none, sized } from '../experiment.ts';
import { type DueJob, makeDueJobs } from '../load/due-jobs.ts';
import { listAll } from '../load/jobs.ts';
import { noonIn } from '../load/noon.ts';
import { startWorkers } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import { withFleet, withServers } from '../system/setting.ts';
import { makeWorld, type World } from '../system/world.ts';

const HOUR_MS = 3600_000;
const READERS = 4;

/** No scheduler runs; every read across noon shows the status that the clock gives. */
export const statusWithoutScheduler: Experiment = {
  name: 'status-without-scheduler',
  run: (run) =>
    withServers(async (servers) => {
      const morning = noonIn(HOUR_MS * 2);
      const replicas = { scheduler: 0 };
      const before = { replicas, clockOffsetMs: morning.clockOffsetMs };
      const { jobs, companyId } = await withFleet(servers, before, async (fleet) => {
        const world = await makeWorld(servers, fleet);
        const count = sized(run, { ci: 30, full: 300 });
        return { jobs: await makeDueJobs(world, count, morning.day), companyId: world.companyId };
      });
      const { clockOffsetMs, noonAt } = noonIn(sized(run, { ci: 20_000, full: 40_000 }));
      return withFleet(servers, { replicas, clockOffsetMs }, async (fleet) => {
        const world = await makeWorld(servers, fleet, companyId);
        if (Date.now() > noonAt) throw new Error('the fleet came up after noon: the machine is too slow');
        await delay(Math.max(0, noonAt - Date.now() - 3000));
        const random = randomOf(run.seed);
        const wrong: string[] = [];
        const reads = { before: 0, after: 0 };
        const look = async (read: () => Promise<readonly Seen[]>): Promise<void> => {
          const begun = Date.now();
          const seen = await read();
          const when = begun >= noonAt ? 'after' : Date.now() < noonAt ? 'before' : undefined;
          if (when === undefined) return;
          reads[when] += seen.length;
          wrong.push(...seen.filter(({ job, status }) => status !== job[when]).map(shownAt(when)));
        };
        const load = startWorkers(READERS, async (index) => {
          const one = (): Promise<readonly Seen[]> => readOne(world, random.pick(jobs));
          await look(index === 0 ? () => readAll(world, jobs) : one);
          await delay(2);
        });
        await delay(Math.max(0, noonAt - Date.now()) + sized(run, { ci: 3000, full: 15_000 }));
        await load.stop();
        const of = `${reads.before} reads before noon, ${reads.after} after`;
        return [
          none('Reads with a status that the clock has overtaken', wrong, of),
          none('Reads on either side of noon', reads.before > 0 && reads.after > 0 ? [] : ['none'], of),
        ];
      });
    }),
};

interface Seen {
  readonly job: DueJob;
  readonly status: number;
}

const shownAt =
  (when: 'before' | 'after') =>
  ({ job, status }: Seen): string =>
    `job ${job.id} has status ${status} ${when} noon, not ${job[when]}`;

async function readOne({ api }: World, job: DueJob): Promise<Seen[]> {
  const answer = await api.get(`/jobs/${job.id}`);
  return [{ job, status: answer.status === 200 ? Number(answer.json.data.status.id) : -answer.status }];
}

/** The whole list, and the list of each status: a job must be in the one that it says. */
async function readAll({ api, companyId }: World, jobs: readonly DueJob[]): Promise<Seen[]> {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const headers = await listAll(api, companyId);
  return headers.flatMap(({ id, status }) => {
    const job = byId.get(id);
    return job ? [{ job, status: status.id }] : [];
  });
}
