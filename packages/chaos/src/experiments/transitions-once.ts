import { setTimeout as delay } from 'node:timers/promises';
import { connectBus } from '@joblisting/bus';
import { jobClosed, jobPublished } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { atMost, type Experiment, none, note, sized } from '../experiment.ts';
import { type DueJob, makeDueJobs } from '../load/due-jobs.ts';
import { noonIn } from '../load/noon.ts';
import { randomOf } from '../random.ts';
import type { Servers } from '../system/servers.ts';
import { withFleet, withServers } from '../system/setting.ts';
import { makeWorld } from '../system/world.ts';

const HOUR_MS = 3600_000;
const SETTLE_LIMIT_MS = 120_000;
const PROMISED_MS = 60_000;

interface StoredJob {
  readonly _id: number;
  readonly version: number;
  readonly statusId: number;
  readonly events?: readonly unknown[];
}

/** Three schedulers and three jobs replicas are killed at random while jobs fall due at one noon. */
export const transitionsOnce: Experiment = {
  name: 'transitions-once',
  run: (run) =>
    withServers(async (servers) => {
      const random = randomOf(run.seed);
      const count = sized(run, { ci: 300, full: 10_000 });
      const morning = noonIn(HOUR_MS * 2);
      const jobs = await withFleet(servers, { clockOffsetMs: morning.clockOffsetMs }, async (fleet) =>
        makeDueJobs(await makeWorld(servers, fleet), count, morning.day),
      );
      run.say(`${jobs.length} jobs wait for noon`);

      const { clockOffsetMs, noonAt } = noonIn(sized(run, { ci: 25_000, full: 40_000 }));
      const replicas = { jobs: 3, scheduler: 3 };
      return withFleet(servers, { replicas, clockOffsetMs }, async (fleet) => {
        if (Date.now() > noonAt) throw new Error('the fleet came up after noon: the machine is too slow');
        const early = (await stored(servers)).filter(({ version }) => version !== 1);
        await delay(Math.max(0, noonAt - Date.now() - 1500));
        const tooEarly = (await stored(servers)).filter(({ version }) => version !== 1);
        const stillEarly = Date.now() < noonAt ? tooEarly : [];

        const victims = [...fleet.replicas('jobs'), ...fleet.replicas('scheduler')];
        const kills = sized(run, { ci: 6, full: 40 });
        for (let kill = 0; kill < kills; kill++) {
          await delay(random.whole(0, 600));
          const victim = random.pick(victims);
          victim.kill('SIGKILL');
          await victim.restart();
        }
        const due = new Map(jobs.map((job) => [job.id, job]));
        await waitFor(async () => (await stored(servers)).every((job) => isSettled(job, due.get(job._id))), {
          limitMs: SETTLE_LIMIT_MS,
          everyMs: 100,
          what: 'every transition to be stored and told',
        }).catch(() => undefined);
        const settledAfter = Date.now() - noonAt;
        const unsettled = (await stored(servers)).filter((job) => !isSettled(job, due.get(job._id)));
        const events = await readEvents(
          servers,
          jobs.reduce((sum, job) => sum + job.transitions.size, 0),
        );
        const { missing, extra } = againstLedger(jobs, events);
        const of = `${jobs.length} jobs, ${kills} kills`;
        return [
          none('Transitions applied early', [...early, ...stillEarly].map(shown), of),
          none('Transitions not applied once', unsettled.map(shown), of),
          none('Events that never came', missing, `${events.length} events`),
          none('Events that came twice, or out of nothing', extra, `${events.length} events`),
          atMost(run, 'All settled and told after noon, kills included', settledAfter, PROMISED_MS, 'ms'),
          note('Events on the stream', String(events.length)),
        ];
      });
    }),
};

const shown = ({ _id, version, statusId }: StoredJob): string =>
  `job ${_id} at version ${version}, status ${statusId}`;

const stored = ({ mongod, databasePrefix }: Servers): Promise<StoredJob[]> =>
  mongod.read<StoredJob>(`${databasePrefix}jobs`, 'jobs', { version: 1, statusId: 1, 'events.key': 1 });

const isSettled = (job: StoredJob, due: DueJob | undefined): boolean =>
  job.version === 2 && job.statusId === due?.after && (job.events ?? []).length === 0;

/** Everything on the stream, as `job version status`. */
async function readEvents({ nats }: Servers, expected: number): Promise<string[]> {
  const bus = await connectBus({ url: nats.url, name: 'audit' });
  const events: string[] = [];
  const consuming = [jobPublished, jobClosed].map((event) =>
    bus.consume(event, {
      durable: `audit-${event.subject.split('.').at(-1)}`,
      batch: 500,
      handle: async (payloads) => {
        events.push(...payloads.map(({ jobId, version, statusId }) => `${jobId} ${version} ${statusId}`));
      },
      onError: () => undefined,
    }),
  );
  await waitFor(() => events.length >= expected, { limitMs: 30_000, what: 'the events' }).catch(
    () => undefined,
  );
  // What comes beyond the expected would come now.
  await delay(1500);
  await Promise.all(consuming.map((one) => one.stop()));
  await bus.close();
  return events;
}

function againstLedger(jobs: readonly DueJob[], events: readonly string[]) {
  const expected = new Set(
    jobs.flatMap(({ id, transitions }) =>
      [...transitions].map(([version, status]) => `${id} ${version} ${status}`),
    ),
  );
  const seen = new Set<string>();
  const extra: string[] = [];
  for (const event of events) {
    if (seen.has(event) || !expected.has(event)) extra.push(event);
    seen.add(event);
  }
  return { missing: [...expected].filter((event) => !seen.has(event)), extra };
}
