import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import {
  createLink,
  getCompany,
  getJob,
  issueUserKey,
  jobPublished,
  jobsStream,
  metricsStream,
  schedulerStream,
  transitionDue,
} from '@joblisting/contracts';
import { type TestNats, waitFor } from '@joblisting/testing';
import { connect } from 'nats';
import { type Bus, type BusOptions, connectBus, type Endpoint } from '../src/index.ts';
import { passwordOf, startGuardedNats } from './guarded-nats.ts';
import { contextOf, reply, serveOptions } from './running-bus.ts';

let nats: TestNats;
const buses: Bus[] = [];
const as = async (user: string, more: Partial<BusOptions> = {}): Promise<Bus> => {
  const options = { url: nats.url, name: user, user, password: passwordOf(user), ...more };
  const bus = await connectBus(options);
  buses.push(bus);
  return bus;
};
beforeAll(async () => {
  nats = await startGuardedNats();
  const setup = await as('setup');
  for (const stream of [jobsStream, schedulerStream]) await setup.ensureStream(stream);
});
afterEach(async () => void (await Promise.all(buses.splice(0).map((bus) => bus.close()))));
afterAll(() => nats.stop());

/** Longer than a test may take: who waits for the deadline fails. */
const patient = () => contextOf(60_000);
const answering = (operation: Endpoint['operation'], handle = jest.fn(async () => reply({}))) => ({
  operation,
  handle,
});

it('requests and replies pass between those that know each other', async () => {
  const [jobs, accounts] = [await as('jobs'), await as('accounts')];
  await accounts.serve([answering(getCompany)], { ...serveOptions, name: 'accounts' });
  await expect(jobs.request(getCompany, { params: { id: 1 }, context: patient() })).resolves.toMatchObject({
    outcome: 'ok',
  });
  expect([...jobs.deniedSubscriptions(), ...accounts.deniedSubscriptions()]).toEqual([]);
});

it('a request that is denied is unavailable at once, each time, and told once', async () => {
  const onDenied = jest.fn();
  const shortlink = await as('shortlink', { onDenied });
  const ask = () => shortlink.request(getCompany, { params: { id: 1 }, context: patient() });
  for (const asked of [ask(), ask()]) {
    await expect(asked).rejects.toMatchObject({
      code: 'unavailable',
      cause: expect.objectContaining({ message: `not permitted to publish to ${getCompany.subject}` }),
    });
  }
  await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
  expect(onDenied.mock.calls).toEqual([[{ operation: 'publish', subject: getCompany.subject }]]);
});

it('a subscription that is denied is told, and remembered', async () => {
  const onDenied = jest.fn();
  const shortlink = await as('shortlink', { onDenied });
  await shortlink.serve([answering(createLink), answering(getJob)], serveOptions);
  await waitFor(() => shortlink.deniedSubscriptions().length > 0, { limitMs: 5000, what: 'the denial' });
  expect(shortlink.deniedSubscriptions()).toEqual([getJob.subject]);
  expect(onDenied.mock.calls).toEqual([[{ operation: 'subscription', subject: getJob.subject }]]);
});

it('a publication that is denied is unavailable at once', async () => {
  const metrics = await as('metrics');
  const payload = { jobId: 1, companyId: 1, version: 1, statusId: 1, at: '2026-01-01T00:00:00Z' } as const;
  await expect(metrics.publishEvent(jobPublished, payload, 'id')).rejects.toMatchObject({
    code: 'unavailable',
  });
});

it('who may not make streams finds those that are there, and says which one is not', async () => {
  const jobs = await as('jobs');
  await expect(jobs.ensureStream(jobsStream)).resolves.toBeUndefined();
  const metrics = await as('metrics');
  await expect(metrics.ensureStream(metricsStream)).rejects.toThrow('There is no stream METRICS');
});

it('a stream whose limits are others stays as it is for who may not change it', async () => {
  const onDenied = jest.fn();
  const jobs = await as('jobs', { onDenied });
  await expect(jobs.ensureStream({ ...schedulerStream, maxBytes: 1024 })).resolves.toBeUndefined();
  await waitFor(() => onDenied.mock.calls.length > 0, { limitMs: 5000, what: 'the denial' });
  expect(onDenied.mock.calls).toEqual([
    [{ operation: 'publish', subject: '$JS.API.STREAM.UPDATE.SCHEDULER' }],
  ]);
});

it('events pass from who tells them to who hears them, and the last one can be looked up', async () => {
  const [scheduler, jobs] = [await as('scheduler'), await as('jobs')];
  const heard: string[] = [];
  const onError = jest.fn();
  const consuming = jobs.consume(transitionDue, {
    durable: 'jobs',
    batch: 10,
    handle: async (payloads) => void heard.push(...payloads.map(({ instant }) => instant)),
    onError,
  });
  await scheduler.publishEvent(transitionDue, { instant: '2026-01-01T12:00:00Z' }, 'one');
  await waitFor(() => heard.length > 0, { limitMs: 10_000, what: 'the event' });
  await consuming.stop();
  expect(heard).toEqual(['2026-01-01T12:00:00Z']);
  expect(onError).not.toHaveBeenCalled();
  expect(await scheduler.lastEvent(transitionDue)).toEqual({ instant: '2026-01-01T12:00:00Z' });
});

it('a reply that nobody asked for any more is told as such', async () => {
  const onDenied = jest.fn();
  const [jobs, accounts] = [await as('jobs'), await as('accounts', { onDenied })];
  const isAsked = Promise.withResolvers<void>();
  const isBack = Promise.withResolvers<void>();
  const slow = answering(
    getCompany,
    jest.fn(async () => {
      isAsked.resolve();
      await isBack.promise;
      return reply({});
    }),
  );
  await accounts.serve([slow], { ...serveOptions, name: 'accounts' });
  const asked = jobs.request(getCompany, { params: { id: 1 }, context: patient() });
  asked.catch(() => undefined);
  await isAsked.promise;
  await nats.restart();
  await waitFor(() => accounts.isConnected(), { limitMs: 10_000, what: 'the connection' });
  isBack.resolve();
  await waitFor(() => onDenied.mock.calls.length > 0, { limitMs: 10_000, what: 'the denial' });
  expect(onDenied.mock.calls).toEqual([[{ operation: 'reply', subject: '_INBOX_jobs' }]]);
  await expect(asked).rejects.toMatchObject({ code: 'deadline_exceeded' });
});

it('nobody can have a service send a message on: replies go to inboxes alone', async () => {
  const [accounts, jobs] = [await as('accounts'), await as('jobs')];
  const issue = answering(issueUserKey);
  await accounts.serve([issue], { ...serveOptions, name: 'accounts' });
  const get = answering(getJob);
  await jobs.serve([get], { ...serveOptions, name: 'jobs' });
  const gateway = await connect({ servers: nats.url, user: 'gateway', pass: passwordOf('gateway') });
  for (const deputy of [issueUserKey.subject, '$JS.API.STREAM.DELETE.JOBS']) {
    gateway.publish(getJob.subject, '', { reply: deputy });
  }
  await gateway.close();
  const caller = await as('gateway');
  await caller.request(getJob, { params: { id: 1 }, context: patient() });
  expect(get.handle).toHaveBeenCalledTimes(1);
  expect(issue.handle).not.toHaveBeenCalled();
});
