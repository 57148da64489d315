import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@joblisting/testing';
import { type MailServer, type Mood, startMailServer } from '@joblisting/testing/mail';
import { type Client, createClient, UNLIMITED } from '@joblisting/testing/system';
import type { Experiment, Run } from '../experiment.ts';
import { type Figure, none, note, sized } from '../figures.ts';
import { allowedByRestarts, killOneByOne, killsOf, recoveryNote, timesEach, type Victim } from '../faults.ts';
import { applicationSender, type SentApplication } from '../load/application-sender.ts';
import { createJob, listAll } from '../load/jobs.ts';
import { untilNone } from '../load/until-none.ts';
import { startWorkers, underLoad } from '../load/workers.ts';
import { type Random, randomOf } from '../random.ts';
import type { Setting } from '../system/setting.ts';
import { noneCrashed, serverVictim, serviceVictim } from '../system/victims.ts';
import { withOperator } from '../system/world.ts';

const APPLICATIONS = { ci: 300, full: 10_000 };
/** Of each process. */
const KILLS = { ci: 1, full: 10 };
const REPEATED = 0.1;
const WORKERS = 8;
const JOBS = 10;
const RECIPIENTS = ['hr@acme.example', 'boss@acme.example'];
const MOODS: readonly Mood[] = [
  'takes',
  'takes',
  { rcpt: 451 },
  { data: 421 },
  { rcpt: 550 },
  'hangs up',
  'stalls',
];
const MOOD_MS = 400;
/** Longer than any pause between two attempts. */
const LATER_MS = 5 * 3600_000;
const MAIL_LIMIT_MS = 600_000;
const COUNT_LIMIT_MS = 60_000;

/**
 * Submits applications under kills while the mail server fails in changing ways, then compares records, mails and
 * counts.
 */
export const applications: Experiment = {
  name: 'applications',
  run: async (run) => {
    const mail = await startMailServer();
    try {
      const env = {
        MAIL: 'on',
        SMTP_URL: mail.url,
        MAIL_TIMEOUT_MS: '2000',
        MAIL_PER_SECOND: '1000',
        MAIL_CONNECTIONS: '8',
      };
      return await run.systems.use({ replicas: { applications: 2 }, env }, (setting) =>
        submitUnderKills(run, setting, mail),
      );
    } finally {
      await mail.stop();
    }
  },
};

async function submitUnderKills(run: Run, setting: Setting, mail: MailServer): Promise<Figure[]> {
  const { fleet, world } = setting;
  const random = randomOf(run.seed);
  const odd: string[] = [];
  const { searchSite, reader } = await clientsOf(setting);
  const sender = applicationSender(fleet.origins[0] as string, searchSite, (what) => odd.push(what));
  const jobIds = await Promise.all(
    Array.from({ length: JOBS }, () => createJob(world, { applicationEmails: RECIPIENTS })),
  );
  const total = sized(run, APPLICATIONS);
  const order = timesEach(victims(setting), sized(run, KILLS), random);
  const stopMoods = changeMoods(mail, random);

  let next = 0;
  let successes = 0;
  const { allowed, kills } = allowedByRestarts(order, total);
  const load = startWorkers(WORKERS, async () => {
    if (random.chance(REPEATED)) await sender.repeat(random);
    else if (next < Math.min(total, allowed())) await sender.submit(random, next++, jobIds);
    else await delay(20);
    successes += 1;
  });
  const killing = { random, progress: () => successes, say: run.say, failure: load.failure };
  const killed = await underLoad(load, async () => {
    const result = await killOneByOne(kills, killing);
    const isSent = () => sender.sent().length === total || load.failure() !== undefined;
    await waitFor(isSent, { limitMs: MAIL_LIMIT_MS, what: 'all applications to be acknowledged' });
    return result;
  });
  await stopMoods();
  run.say(`${total} applications acknowledged, ${mail.mails.length} mails`);

  const sent = sender.sent();
  const missing = await deliverTheRest(run, setting, { mail, reader, sent });
  const doubled = mail.mails.length - distinctMails(mail).size;
  const { lost, duplicates } = await compareRecords(reader, world.companyId, sent);
  const wrongCounts = await untilNone(() => compareCounts(setting, jobIds, sent), {
    limitMs: COUNT_LIMIT_MS,
    everyMs: 250,
    what: 'the counts',
  });
  const of = `${total} applications, ${sender.counts.repeated} sent again, ${kills.length} kills`;
  return [
    none('Acknowledged applications lost', lost, of),
    none('Applications stored twice', duplicates, of),
    none('Copies that no recipient has', missing.wrong, `${total * RECIPIENTS.length} copies`),
    none('applicationCount that differs from the applications', wrongCounts, `${JOBS} jobs`),
    none('Answers against the contract', odd, of),
    noneCrashed(fleet),
    note('Mails with a Message-ID that came before', `${doubled} of ${mail.mails.length}`),
    note('Time until the last copy was sent, from 5 hours later', `${missing.seconds.toFixed(1)} s`),
    note('Kills', killsOf(kills)),
    recoveryNote(killed),
  ];
}

/** Keys of a search site, and a client of the company. */
const clientsOf = ({ servers, fleet, world }: Setting) =>
  withOperator(servers, async (operator) => {
    const site = await operator.consumerKey(['applications:write'], UNLIMITED);
    const consumer = await operator.consumerKey(['applications:read', 'applications:write'], UNLIMITED);
    const reader = createClient(fleet.origins[0] as string, {
      consumer: consumer.secret,
      user: world.keys.user,
    });
    return { searchSite: site.secret, reader };
  });

const victims = ({ servers, fleet }: Setting): Victim[] => [
  ...fleet.replicas('applications').map(serviceVictim),
  ...fleet.replicas('gateway').map(serviceVictim),
  ...fleet.replicas('jobs').map(serviceVictim),
  ...fleet.replicas('metrics').map(serviceVictim),
  serverVictim('nats-server', servers.nats),
  serverVictim('mongod', servers.mongod),
];

/** @returns a stop, after which the server accepts every mail */
function changeMoods(mail: MailServer, random: Random): () => Promise<void> {
  const changing = startWorkers(1, async () => {
    mail.mood = random.pick(MOODS);
    await delay(MOOD_MS);
  });
  return async () => {
    await changing.stop();
    mail.mood = 'takes';
  };
}

interface Delivery {
  readonly mail: MailServer;
  readonly reader: Client;
  readonly sent: readonly SentApplication[];
}

/** Moves the clock to when all deferred copies are due, queues the failed ones again, and waits for the rest. */
async function deliverTheRest(run: Run, { fleet, world }: Setting, { mail, reader, sent }: Delivery) {
  await fleet.replace(['applications'], { clockOffsetMs: LATER_MS });
  const startedAt = performance.now();
  const queueFailed = async (): Promise<void> => {
    const failed = await reader.get(
      `/applications?company.id=${world.companyId}&status=failed&pageSize=1000`,
    );
    for (const { id } of failed.json.data) await reader.post(`/applications/${id}/copies`, {});
  };
  const findMissing = async (): Promise<string[]> => {
    await queueFailed();
    const arrived = new Set([...distinctMails(mail)].map((key) => key.split('-').slice(0, 3).join('-')));
    const wanted = sent.flatMap(({ id }) => RECIPIENTS.map((_to, no) => `application-${id}-${no}`));
    return wanted.filter((key) => !arrived.has(key));
  };
  const wrong = await untilNone(findMissing, { limitMs: MAIL_LIMIT_MS, everyMs: 1000, what: 'all mails' });
  const seconds = (performance.now() - startedAt) / 1000;
  run.say(`all mails ${seconds.toFixed(1)} s later`);
  return { wrong, seconds };
}

/** The local parts of the Message-IDs: `application-<id>-<copy>-<round>`. */
const distinctMails = ({ mails }: MailServer): Set<string> =>
  new Set(mails.map(({ raw }) => /^Message-ID: <([^@]+)@/m.exec(raw.toString('latin1'))?.[1] ?? ''));

/** Compares the list of applications with what was acknowledged. */
async function compareRecords(reader: Client, companyId: number, sent: readonly SentApplication[]) {
  const stored = new Map<string, number[]>();
  for (let page = 1, isLast = false; !isLast; page++) {
    const answer = await reader.get(`/applications?company.id=${companyId}&pageSize=1000&page=${page}`);
    for (const { id, applicant } of answer.json.data) {
      stored.set(applicant.email, [...(stored.get(applicant.email) ?? []), Number(id)]);
    }
    isLast = answer.json.paging.next === null;
  }
  return {
    lost: sent.filter(({ id, email }) => !stored.get(email)?.includes(id)).map(({ email }) => email),
    duplicates: [...stored].filter(([, ids]) => ids.length > 1).map(([email]) => email),
  };
}

async function compareCounts(
  { world }: Setting,
  jobIds: readonly number[],
  sent: readonly SentApplication[],
): Promise<string[]> {
  const expected = Map.groupBy(sent, ({ jobId }) => jobId);
  const jobs = await listAll(world.api, world.companyId);
  return jobs
    .filter(
      ({ id, applicationCount }) => jobIds.includes(id) && applicationCount !== expected.get(id)?.length,
    )
    .map(({ id, applicationCount }) => `job ${id}: ${applicationCount}, not ${expected.get(id)?.length}`);
}
