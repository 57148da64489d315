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
import { startNats, type TestNats, waitFor } from '@joblisting/testing';
import { connect } from 'nats';
import { type Bus, type BusOptions, connectBus, type Endpoint } from '../src/index.ts';
import { encodeReply } from '../src/envelope.ts';
import { noObserver } from '../src/observer.ts';
import { createRequester } from '../src/requester.ts';
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

/** Longer than a test may take, so a call that waits for its deadline fails. */
const patient = () => contextOf(60_000);
const answering = (operation: Endpoint['operation'], handle = jest.fn(async () => reply({}))) => ({
  operation,
  handle,
});

it('lets requests and replies pass between services that are permitted to', async () => {
  const [jobs, accounts] = [await as('jobs'), await as('accounts')];
  await accounts.serve([answering(getCompany)], { ...serveOptions, name: 'accounts' });
  await expect(jobs.request(getCompany, { params: { id: 1 }, context: patient() })).resolves.toMatchObject({
    outcome: 'ok',
  });
  expect([...jobs.deniedSubscriptions(), ...accounts.deniedSubscriptions()]).toEqual([]);
});

it('rejects each denied request at once with `bus_permission`, and reports it once', async () => {
  const onDenied = jest.fn();
  const shortlink = await as('shortlink', { onDenied });
  const request = () => shortlink.request(getCompany, { params: { id: 1 }, context: patient() });
  for (const denied of [request(), request()]) {
    await expect(denied).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'bus_permission',
      cause: expect.objectContaining({ message: `not permitted to publish to ${getCompany.subject}` }),
    });
  }
  await expect(request()).rejects.toMatchObject({ code: 'unavailable', reason: 'bus_permission' });
  expect(onDenied.mock.calls).toEqual([[{ operation: 'publish', subject: getCompany.subject }]]);
});

it('does not claim "not executed" of a request that is denied where an earlier one was permitted', async () => {
  const open = await startNats();
  const connection = await connect({ servers: open.url });
  const requester = createRequester(connection, {
    inboxPrefix: '_INBOX',
    maxPending: 10,
    isConnected: () => true,
    observer: noObserver,
  });
  let received = 0;
  for (const { subject } of [getJob, getCompany]) {
    connection.subscribe(subject, {
      callback: (_error, message) => {
        received += 1;
        if (received === 1) message.respond(new Uint8Array(), { headers: encodeReply({ outcome: 'ok' }) });
      },
    });
  }
  const request = (operation: typeof getJob | typeof getCompany) =>
    requester.request(operation, { id: 1 }, new Uint8Array(), patient());
  await request(getJob);
  const [permittedBefore, neverPermitted] = [request(getJob), request(getCompany)];
  for (const { subject } of [getJob, getCompany]) requester.publishDenied(subject);
  const reason = 'bus_permission';
  await expect(permittedBefore).rejects.toMatchObject({ code: 'deadline_exceeded', reason });
  await expect(neverPermitted).rejects.toMatchObject({ code: 'unavailable', reason });
  await connection.close();
  await open.stop();
});

it('reports a denied subscription, and remembers it', async () => {
  const onDenied = jest.fn();
  const shortlink = await as('shortlink', { onDenied });
  await shortlink.serve([answering(createLink), answering(getJob)], serveOptions);
  await waitFor(() => shortlink.deniedSubscriptions().length > 0, { limitMs: 5000, what: 'the denial' });
  expect(shortlink.deniedSubscriptions()).toEqual([getJob.subject]);
  expect(onDenied.mock.calls).toEqual([[{ operation: 'subscription', subject: getJob.subject }]]);
});

it('rejects a denied event at once', async () => {
  const metrics = await as('metrics');
  const payload = { jobId: 1, companyId: 1, version: 1, statusId: 1, at: '2026-01-01T00:00:00Z' } as const;
  await expect(metrics.publishEvent(jobPublished, payload, 'id')).rejects.toMatchObject({
    code: 'unavailable',
    reason: 'bus_permission',
  });
});

it('a user who may not make streams: `ensureStream` finds those that exist, and names a missing one', async () => {
  const jobs = await as('jobs');
  await expect(jobs.ensureStream(jobsStream)).resolves.toBeUndefined();
  const metrics = await as('metrics');
  await expect(metrics.ensureStream(metricsStream)).rejects.toThrow('There is no stream METRICS');
});

it('a user who may not change streams: `ensureStream` leaves other limits as they are', async () => {
  const onDenied = jest.fn();
  const jobs = await as('jobs', { onDenied });
  await expect(jobs.ensureStream({ ...schedulerStream, maxBytes: 1024 })).resolves.toBeUndefined();
  await waitFor(() => onDenied.mock.calls.length > 0, { limitMs: 5000, what: 'the denial' });
  expect(onDenied.mock.calls).toEqual([
    [{ operation: 'publish', subject: '$JS.API.STREAM.UPDATE.SCHEDULER' }],
  ]);
});

it('lets an event pass from its publisher to its consumer, and be looked up', async () => {
  const [scheduler, jobs] = [await as('scheduler'), await as('jobs')];
  const instants: string[] = [];
  const onError = jest.fn();
  const consuming = jobs.consume(transitionDue, {
    durable: 'jobs',
    batch: 10,
    handle: async (payloads) => void instants.push(...payloads.map(({ instant }) => instant)),
    onError,
  });
  await scheduler.publishEvent(transitionDue, { instant: '2026-01-01T12:00:00Z' }, 'one');
  await waitFor(() => instants.length > 0, { limitMs: 10_000, what: 'the event' });
  await consuming.stop();
  expect(instants).toEqual(['2026-01-01T12:00:00Z']);
  expect(onError).not.toHaveBeenCalled();
  expect(await scheduler.lastEvent(transitionDue)).toEqual({ instant: '2026-01-01T12:00:00Z' });
});

it('reports a reply that no request waits for any more', async () => {
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
  const request = jobs.request(getCompany, { params: { id: 1 }, context: patient() });
  request.catch(() => undefined);
  await isAsked.promise;
  await nats.restart();
  await waitFor(() => accounts.isConnected(), { limitMs: 10_000, what: 'the connection' });
  isBack.resolve();
  await waitFor(() => onDenied.mock.calls.length > 0, { limitMs: 10_000, what: 'the denial' });
  expect(onDenied.mock.calls).toEqual([[{ operation: 'reply', subject: '_INBOX_jobs' }]]);
  await expect(request).rejects.toMatchObject({ code: 'deadline_exceeded', reason: 'reply_lost' });
});

it('sends replies to inboxes only: nobody can make a service send a message elsewhere', async () => {
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
