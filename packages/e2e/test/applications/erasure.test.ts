import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { type MailServer, startMailServer } from '@joblisting/testing/mail';
import { simpleParser } from 'mailparser';
import {
  type Answer,
  type Client,
  createClient,
  jobBody,
  makeWorld,
  multipart,
  pdf,
  startSystem,
  type System,
  type World,
} from '../../src/index.ts';
import { collectionsWith, streamMessages } from './stored-everywhere.ts';

/** In every field and file of the applicants who are erased, and nowhere else. */
const MARKER = `xq${crypto.randomUUID().replaceAll('-', '')}`;
/** From here on, an answer to an Idempotency-Key is stored deflated. */
const LARGE_ANSWER = 64 * 1024;
/** Longer than the pauses after the first failed attempts, of which a slow machine makes several. */
const LATER_MS = 6 * 3_600_000;

let mail: MailServer;
let system: System;
let world: World;
let site: Client;
let company: Client;
let jobId: number;
let log = '';

beforeAll(async () => {
  mail = await startMailServer();
  mail.mood = 'stalls';
  const env = { MAIL: 'on', SMTP_URL: mail.url, MAIL_TIMEOUT_MS: '1500', LOG_LEVEL: 'trace' };
  system = await startSystem({ env, onLog: (text) => (log += text) });
  world = await makeWorld(system);
  const { operator, origin, userKey } = world;
  site = createClient(origin, { consumer: (await operator.consumerKey(['applications:write'])).secret });
  const { secret } = await operator.consumerKey(['applications:read', 'applications:write']);
  company = createClient(origin, { consumer: secret, user: userKey });
  const body = jobBody(world.companyId, { applicationEmails: ['hr@acme.example', 'boss@acme.example'] });
  jobId = (await world.api.post('/jobs', body)).json.data.id;
}, 90_000);
afterAll(async () => {
  await world?.operator.close();
  await system?.stop();
  await mail?.stop();
});

/** An application with the marker everywhere. A name of an unknown property is in the warnings of the answer. */
const marked = (who: string, length: number) => ({
  applicant: {
    name: `${MARKER} ${who}`,
    email: `${MARKER}.${who}@example.com`,
    phone: MARKER,
    location: MARKER,
  },
  coverLetter: MARKER,
  answers: Array.from({ length: 1 + length / 2000 }, () => ({
    question: MARKER,
    answer: MARKER.padEnd(2000, '.'),
  })),
  referenceId: `${MARKER} ${who}`,
  // Only one word becomes the source of a count, which stays.
  source: `${MARKER} ${who}`,
  [MARKER]: MARKER,
});
const send = async (application: object, headers: Record<string, string>): Promise<Answer> => {
  const files = [{ name: `${MARKER}.pdf`, content: pdf(MARKER) }];
  return site.send(`/jobs/${jobId}/applications`, { ...(await multipart(application, files)), headers });
};
const keyed = (key: string) => ({ 'Idempotency-Key': key });
const firstKey = crypto.randomUUID();

/** Requests with the marker that store nothing. */
async function sendRefused(): Promise<void> {
  const path = `/jobs/${jobId}/applications`;
  const refused = [
    await send({ ...marked('refused', 0), consentAt: MARKER }, {}),
    await site.post(path, { ...marked('refused', 0), applicant: MARKER }),
    await site.send(path, { method: 'POST', raw: `{"applicant":"${MARKER}` }),
    await site.send(path, {
      method: 'POST',
      raw: MARKER,
      contentType: `multipart/form-data; boundary=${MARKER}`,
    }),
    await site.send(path, { method: 'POST', raw: MARKER, contentType: 'text/plain' }),
    await company.delete(`/applications?company.id=${world.companyId}&email=${MARKER}`),
    await company.delete(`/applications?company.id=${world.otherCompanyId}&email=${MARKER}@example.com`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 400, 400, 415, 400, 403]);
}

describe('an erasure', () => {
  const ids: number[] = [];
  let unmarkedId: number;

  it('finds the marker wherever applications are stored, as long as they are not erased', async () => {
    const applicant = { name: 'Not erased', email: 'stays@example.com' };
    unmarkedId = (await site.post(`/jobs/${jobId}/applications`, { applicant })).json.data.id;
    for (const [who, length, key] of [
      ['by-id', LARGE_ANSWER, firstKey],
      ['by-email', 0, crypto.randomUUID()],
    ] as const) {
      const answer = await send(marked(who, length), keyed(key));
      expect(answer.status).toBe(201);
      ids.push(answer.json.data.id);
      // The same application, under another key.
      expect((await send(marked(who, length), keyed(crypto.randomUUID()))).status).toBe(200);
    }
    await sendRefused();
    // Attempts have begun and failed.
    await waitFor(
      async () => (await company.get(`/applications/${ids[0]}`)).json.data.copies[0].state === 'deferred',
      { what: 'a deferred copy' },
    );
    const sentAgain = await company.post(
      `/applications/${ids[0]}/copies`,
      { to: 'all' },
      { headers: keyed('again') },
    );
    expect(sentAgain.status).toBe(200);
    const found = await collectionsWith(MARKER, system.databasePrefix);
    const owned = found.map((path) => path.replace(/^.*_applications\./, ''));
    expect(owned).toEqual(expect.arrayContaining(['applications', 'files.chunks', 'idempotency']));
    expect(mail.mails).toEqual([]);
  });

  it('leaves nothing of the applicant in any collection but the oplog, stream or log', async () => {
    const [byId, byEmail] = ids;
    expect((await company.delete(`/applications/${byId}`)).status).toBe(204);
    const email = `${MARKER.toUpperCase()}.by-email@example.com`;
    const erased = await company.delete(`/applications?company.id=${world.companyId}&email=${email}`);
    expect([erased.status, erased.json.data]).toEqual([200, { erased: 1 }]);
    for (const id of [byId, byEmail]) expect((await company.get(`/applications/${id}`)).status).toBe(404);

    expect(await collectionsWith(MARKER, system.databasePrefix)).toEqual([]);
    const messages = await streamMessages(system.natsUrl);
    for (const id of ids)
      expect(messages.filter((text) => text.includes(`"applicationId":${id},`))).not.toEqual([]);
    expect(messages.filter((text) => text.includes(MARKER))).toEqual([]);
    expect(log).toContain('"operation":"eraseApplicant"');
    expect(log.split('\n').filter((line) => line.includes(MARKER))).toEqual([]);
  });

  it('is not undone by the same request with its Idempotency-Key', async () => {
    const { status, json } = await send(marked('by-id', LARGE_ANSWER), keyed(firstKey));
    expect([status, json.code]).toEqual([404, 'application_not_found']);
    expect(await collectionsWith(MARKER, system.databasePrefix)).toEqual([]);
  });

  it('takes back the copies that wait: later only those of others are sent', async () => {
    mail.mood = 'takes';
    await system.fleet.replace(['applications'], { clockOffsetMs: LATER_MS });
    const stateOf = async () =>
      (await company.get(`/applications/${unmarkedId}`)).json.data.copies.map(
        (copy: { state: string }) => copy.state,
      );
    await waitFor(async () => (await stateOf()).every((state: string) => state === 'sent'), {
      what: 'the copies of the application that was not erased',
      limitMs: 30_000,
    });
    const replyTos = await Promise.all(
      mail.mails.map(async ({ raw }) => (await simpleParser(raw)).replyTo?.text),
    );
    expect(new Set(replyTos)).toEqual(new Set(['"Not erased" <stays@example.com>']));
    expect(await collectionsWith(MARKER, system.databasePrefix)).toEqual([]);
    expect(log).not.toContain(MARKER);
  });

  it('leaves applicationCount as it was', async () => {
    expect((await world.api.get(`/jobs/${jobId}`)).json.data.applicationCount).toBe(1 + ids.length);
  });
});
