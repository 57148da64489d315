import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Consuming } from '@joblisting/bus';
import {
  type ApplicationErased,
  applicationErased,
  type ApplicationReceived,
  applicationReceived,
  type CopyFailed,
  copyFailed,
  deleteApplication,
  eraseApplicant,
  queueCopies,
} from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { type MailServer, startMailServer } from '@joblisting/testing/mail';
import {
  ada,
  applyOf,
  companyOf,
  openJob,
  type RunningApplications,
  runApplications,
} from './running-applications.ts';

let mail: MailServer;
let running: RunningApplications;
let apply: ReturnType<typeof applyOf>;
const received: ApplicationReceived[] = [];
const failed: CopyFailed[] = [];
const erased: ApplicationErased[] = [];
const consuming: Consuming[] = [];
beforeAll(async () => {
  mail = await startMailServer();
  running = await runApplications({ MAIL: 'on', SMTP_URL: mail.url });
  apply = applyOf(running);
  running.jobs
    .set(1, openJob(1, { applicationEmails: [] }))
    .set(2, openJob(2, { applicationEmails: ['hr@acme.example'] }));
  const onError = () => undefined;
  consuming.push(
    running.bus.consume(applicationReceived, {
      durable: 'received',
      batch: 10,
      handle: async (events) => void received.push(...events),
      onError,
    }),
    running.bus.consume(applicationErased, {
      durable: 'erased',
      batch: 10,
      handle: async (events) => void erased.push(...events),
      onError,
    }),
    running.bus.consume(copyFailed, {
      durable: 'failed',
      batch: 10,
      handle: async (events) => void failed.push(...events),
      onError,
    }),
  );
});
afterAll(async () => {
  await Promise.all(consuming.map((one) => one.stop()));
  await running.stop();
  await mail.stop();
});

describe('events', () => {
  it('tell that an application was received, with ids alone', async () => {
    const { data } = await apply.json(1, { applicant: ada });
    await waitFor(() => received.length === 1, { what: 'the event' });
    expect(received).toEqual([{ applicationId: data.id, jobId: 1, companyId: 1, at: data.receivedAt }]);
  });

  it.each([
    ['indeed', 'indeed'],
    ['Told by a friend', undefined],
  ])('tell the source %j only as the one word that metrics count by', async (source, told) => {
    const { data } = await apply.json(1, { applicant: { ...ada, name: source }, source });
    expect(data.source).toBe(source);
    const event = await waitFor(() => received.find(({ applicationId }) => applicationId === data.id), {
      what: 'the event',
    });
    expect(event.source).toBe(told);
  });

  it('tell that a copy failed, each time that it was queued', async () => {
    mail.mood = { rcpt: 550 };
    const { data } = await apply.json(2, { applicant: ada });
    await waitFor(() => failed.length === 1, { what: 'the event' });
    expect(failed[0]).toMatchObject({ applicationId: data.id, jobId: 2, companyId: 1, copy: 0, round: 0 });
    await running.bus.request(queueCopies, { params: { id: data.id }, body: {}, context: companyOf(1) });
    await waitFor(() => failed.length === 2, { what: 'the second event' });
    expect(failed[1]).toMatchObject({ applicationId: data.id, copy: 0, round: 1 });
  });

  it('tell that an application was erased, by itself or with all of a person, with ids alone', async () => {
    const one = (await apply.json(1, { applicant: { ...ada, email: 'one@example.com' } })).data.id;
    const two = (await apply.json(1, { applicant: { ...ada, email: 'two@example.com' } })).data.id;
    await running.bus.request(deleteApplication, { params: { id: one }, context: companyOf(1) });
    const params = { 'company.id': 1, email: 'two@example.com' };
    await running.bus.request(eraseApplicant, { params, context: companyOf(1) });
    await waitFor(() => erased.length === 2, { what: 'the events' });
    const at = new Date(running.clock.now()).toISOString();
    expect(erased).toEqual(
      [one, two].map((applicationId) => ({ applicationId, jobId: 1, companyId: 1, at })),
    );
  });
});
