import { setTimeout as delay } from 'node:timers/promises';
import type { LoggedEvent } from '@joblisting/contracts';
import { type Client, createClient, jobBody, UNLIMITED } from '@joblisting/testing/system';
import type { Experiment, Run } from '../experiment.ts';
import { killOneByOne, killsOf, recoveryNote, timesEach, type Victim } from '../faults.ts';
import { type Figure, none, note, sized } from '../figures.ts';
import { untilDecided } from '../load/decided.ts';
import { cursorFollower, firstArrivals, outOfOrder, webhookReceiver } from '../load/event-followers.ts';
import { untilNone } from '../load/until-none.ts';
import { startWorkers, underLoad } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import type { Setting } from '../system/setting.ts';
import { noneCrashed, serverVictim, serviceVictim } from '../system/victims.ts';
import { withOperator } from '../system/world.ts';

/** Of each process. */
const KILLS = { ci: 1, full: 34 };
const WRITERS = 4;
const JOBS = 30;
const DELETED = 0.05;
const CLOSED = 0.1;
const PAUSE_MS = 20;
/** Of the events that are sent to the receiver. */
const REFUSED = 0.02;
/** The longest pause of a first retry is five minutes. */
const LATER_MS = 3600_000;
const LIMIT_MS = 120_000;

/** Follows the change log by cursor and by webhook while jobs are written under kills, then compares all three. */
export const changeLog: Experiment = {
  name: 'change-log',
  isLong: true,
  run: (run) =>
    run.systems.use(
      { replicas: { events: 2 }, env: { WEBHOOK_ALLOWED_NETWORKS: 'loopback' } },
      async (setting) => {
        const receiver = await webhookReceiver(randomOf(run.seed, 1), REFUSED);
        try {
          return await followUnderKills(run, setting, receiver);
        } finally {
          receiver.close();
        }
      },
    ),
};

async function followUnderKills(
  run: Run,
  setting: Setting,
  receiver: Awaited<ReturnType<typeof webhookReceiver>>,
): Promise<Figure[]> {
  const { fleet, world } = setting;
  const random = randomOf(run.seed);
  const api = await clientOf(setting);
  const company = { id: world.companyId };
  await untilDecided(() => api.post('/webhooks', { company, url: receiver.url, types: ['*'] }));
  const follower = cursorFollower(api, company.id);
  const kills = timesEach(victims(setting), sized(run, KILLS), random);

  let written = 0;
  const writing = startWorkers(WRITERS, async (worker) => {
    const referenceId = `job-${worker}-${random.whole(1, JOBS)}`;
    await untilDecided(() => write(api, company.id, referenceId, random));
    written += 1;
    await delay(PAUSE_MS);
  });
  const following = startWorkers(1, follower.follow);
  const failure = () => writing.failure() ?? following.failure();
  const result = await underLoad(following, async () => {
    const killed = await underLoad(writing, () =>
      killOneByOne(kills, { random, progress: () => written, say: run.say, failure }),
    );
    const limited = { limitMs: LIMIT_MS, everyMs: 250 };
    const stale = await untilNone(() => differences(api, company.id, follower.events), {
      ...limited,
      what: 'the follower to know all jobs',
    });
    receiver.recover();
    await fleet.replace(['events'], { clockOffsetMs: LATER_MS });
    const missed = await untilNone(
      async () => {
        const ids = new Set(receiver.received.map(({ id }) => id));
        return follower.events.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
      },
      { ...limited, what: 'the receiver to have all events' },
    );
    return { killed, stale, missed };
  });

  const { events } = follower;
  const gaps = events.flatMap(({ seq }, index) => (seq === index + 1 ? [] : [`${seq} at ${index + 1}`]));
  const received = firstArrivals(receiver.received);
  const of = `${events.length} events of ${written} writes, ${kills.length} kills`;
  return [
    none('Jobs that the follower knows otherwise than the API', result.stale, of),
    none('Numbers missed or doubled by the follower', gaps, of),
    none('Events of a job out of order', outOfOrder(events), of),
    none('Events that the webhook missed', result.missed, of),
    none('Events of a job that reached the webhook out of order', outOfOrder(received), of),
    noneCrashed(fleet),
    note('Events that reached the webhook again', String(receiver.received.length - received.length)),
    note('Kills', killsOf(kills)),
    recoveryNote(result.killed),
  ];
}

/** Changes a job or creates it; sometimes closes or deletes it. */
async function write(
  api: Client,
  companyId: number,
  referenceId: string,
  random: ReturnType<typeof randomOf>,
) {
  const key = { referenceId, company: { id: companyId } };
  if (random.chance(DELETED)) return api.delete('/jobs', key);
  const status = { id: random.chance(CLOSED) ? 2 : 1 };
  return api.put('/jobs', { ...jobBody(companyId, key), title: `Title ${random.whole(1, 1e6)}`, status });
}

/** Jobs whose last event does not have their version, or tells of jobs that do not exist. */
async function differences(
  api: Client,
  companyId: number,
  events: readonly LoggedEvent[],
): Promise<string[]> {
  const known = new Map<number, number>();
  for (const { job, type } of events) {
    if (job?.version === undefined) continue;
    if (type === 'job.deleted') known.delete(job.id);
    else known.set(job.id, job.version);
  }
  const versions = await versionsOf(api, companyId);
  const wrong = [...versions].filter(([id, version]) => known.get(id) !== version);
  return [
    ...wrong.map(([id, version]) => `job ${id}: version ${known.get(id)}, not ${version}`),
    ...[...known.keys()].filter((id) => !versions.has(id)).map((id) => `job ${id} does not exist`),
  ];
}

/** The version of each job, read to the end. */
async function versionsOf(api: Client, companyId: number): Promise<Map<number, number>> {
  const versions = new Map<number, number>();
  for (let after = '', hasMore = true; hasMore;) {
    const { json } = await api.get(`/jobs/changes?company.id=${companyId}&limit=1000${after}`);
    for (const { id, version, deleted } of json.data) {
      if (deleted) versions.delete(id);
      else versions.set(id, version);
    }
    after = `&after=${json.paging.next}`;
    hasMore = json.paging.hasMore;
  }
  return versions;
}

const clientOf = ({ servers, fleet, world }: Setting): Promise<Client> =>
  withOperator(servers, async (operator) => {
    const scopes = ['jobs:read', 'jobs:write', 'events:read', 'webhooks:write'] as const;
    const { secret } = await operator.consumerKey(scopes, UNLIMITED);
    return createClient(fleet.origins[0] as string, { consumer: secret, user: world.keys.user });
  });

const victims = ({ servers, fleet }: Setting): Victim[] => [
  ...fleet.replicas('events').map(serviceVictim),
  ...fleet.replicas('jobs').map(serviceVictim),
  ...fleet.replicas('gateway').map(serviceVictim),
  serverVictim('nats-server', servers.nats),
  serverVictim('mongod', servers.mongod),
];
