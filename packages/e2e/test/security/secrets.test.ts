import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { createClient, jobBody, makeWorld, startSystem, type System, type World } from '../../src/index.ts';
import { tapBus } from './bus-tap.ts';
import { requestRaw, sendBytes } from './raw.ts';

const DESCRIPTION = 'Confidential words of a description';
const IDEMPOTENCY_KEY = 'key-for-doing-it-once-7d1f';
const QUERY = 'secret-in-a-query';
/** Marks client data that contains line ends or NATS wildcards. */
const EVIL = 'EVIL';
const INJECTIONS = [
  `${EVIL}\r\nPUB ${EVIL}.v1.injected 2\r\n{}\r\n`,
  `${EVIL}.>`,
  `*.${EVIL}`,
  `jobs.v1.delete ${EVIL}`,
  `${EVIL}\t\0`,
  `_INBOX.${EVIL}`,
];

let system: System;
let log = '';
let metricsKey: string;
let world: World;

beforeAll(async () => {
  system = await startSystem({ env: { LOG_LEVEL: 'trace' }, onLog: (text) => (log += text) });
  world = await makeWorld(system);
  metricsKey = (await world.operator.consumerKey(['metrics:write'])).secret;
  log = '';
}, 90_000);
afterAll(async () => {
  await world?.operator.close();
  await system?.stop();
});

const basic = () => Buffer.from(`${world.consumerKey}:${world.userKey}`).toString('base64');
const keyHeaders = () => ({ 'Consumer-API-Key': world.consumerKey, 'User-API-Key': world.userKey });

/** Sends secrets in accepted and refused requests of all kinds. */
async function sendSecrets(): Promise<void> {
  const { api, companyId, origin } = world;
  const headers = { 'Idempotency-Key': IDEMPOTENCY_KEY };
  const body = jobBody(companyId, { description: DESCRIPTION });
  const { json } = await api.post('/jobs', body, { headers });
  await api.post('/jobs', body, { headers });
  await api.post('/jobs', { ...body, title: 'Other' }, { headers });
  await api.post(
    '/jobs',
    jobBody(companyId, { description: `<x>${DESCRIPTION}`, descriptionFormat: 'html' }),
  );
  await api.send('/jobs', { method: 'POST', raw: `{"description":"${DESCRIPTION}` });
  await api.send('/jobs', { method: 'POST', raw: DESCRIPTION, contentType: 'text/plain' });
  await api.post('/jobs', jobBody(companyId, { description: DESCRIPTION.repeat(200_000) }));
  await api.put(`/jobs/${json?.data?.id}`, { description: `${DESCRIPTION} changed` });
  await api.get(`/jobs?company.id=${companyId}&x=${QUERY}`);
  await requestRaw(origin, `/v1.0/jobs/1?${QUERY}`, { Authorization: `Basic ${basic()}` });
  await requestRaw(origin, '/v1.0/jobs/1', { ...keyHeaders(), Authorization: `Bearer ${world.userKey}` });
  await createClient(origin, { consumer: world.consumerKey, user: `${world.userKey}x` }).get('/jobs/1');
  await createClient(origin, { consumer: world.userKey, user: world.consumerKey }).get('/jobs/1');
  const events = [{ id: 'an-event', jobId: json?.data?.id ?? 1, type: 'view' }];
  await createClient(origin, { consumer: metricsKey }).post('/metrics/events', { events });
  const head = Object.entries(keyHeaders()).map(([name, value]) => `${name}: ${value}\r\n`);
  await sendBytes(origin, `GET / HTTP/1.1\r\nHost: a\r\n${head.join('')}Content-Length: x\r\n\r\n`);
  await sendBytes(origin, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n${head.join('')}\r\n`);
}

const secrets = () => [
  world.consumerKey,
  world.userKey,
  metricsKey,
  // Parts of keys.
  world.consumerKey.slice(4, 36),
  world.userKey.slice(4, 36),
  basic(),
  basic().slice(0, 40),
];

describe('secrets', () => {
  it('are in no log line, and keys cross the bus as hashes only', async () => {
    const tap = await tapBus(system.natsUrl);
    await sendSecrets();
    // The tap would count as a responder.
    tap.close();
    // Makes the gateway log errors.
    await system.services.get('jobs')?.stop();
    await sendSecrets();
    await world.api.get('/jobs/1', { 'Request-Id': 'the-last-one' });
    await waitFor(() => log.includes('the-last-one'), { what: 'the last line' });
    await system.services.get('jobs')?.restart();
    for (const status of [201, 401, 413, 415, 422, 503]) expect(log).toContain(`"status":${status}`);
    for (const secret of [...secrets(), IDEMPOTENCY_KEY, DESCRIPTION, QUERY])
      expect(log).not.toContain(secret);
    for (const secret of secrets()) expect(tap.text()).not.toContain(secret);
  });
});

describe('client data', () => {
  it('never becomes part of a subject or a separate log line', async () => {
    const tap = await tapBus(system.natsUrl);
    const { api, companyId, origin } = world;
    for (const text of INJECTIONS) {
      const escaped = encodeURIComponent(text);
      const visible = text.replaceAll(/[^!-~]/g, '');
      const headers = {
        'Request-Id': visible.slice(0, 64),
        'Idempotency-Key': visible,
        traceparent: visible,
      };
      const name = text.replaceAll('\0', '');
      await api.post('/jobs', jobBody(companyId, { referenceId: name, title: name, city: name }), {
        headers,
      });
      await api.put('/jobs', { referenceId: name, company: { id: companyId } });
      await api.post('/jobs', jobBody(companyId, { categories: [{ name }] }));
      await api.post('/jobcategories', { name, company: { id: companyId } });
      await api.delete('/jobs', { referenceId: name, company: { id: companyId } });
      for (const path of [`/jobs/${escaped}`, `/jobcategories/${escaped}`, `/jobs?company.id=${escaped}`]) {
        await api.get(path);
      }
      await requestRaw(origin, `/s/${escaped}`);
      await requestRaw(origin, '/v1.0/jobs/1', { 'Consumer-API-Key': visible, 'User-API-Key': visible });
      const events = [{ id: name, jobId: 1, type: 'view' }];
      await createClient(origin, { consumer: metricsKey }).post('/metrics/events', { events });
    }
    tap.close();
    expect(tap.text()).toContain(EVIL);
    expect(tap.subjects.size).toBeGreaterThan(5);
    const fixed = /^(?:[a-z]+\.v1(?:\.[a-z-]+)+|_INBOX_[a-z]+\.[\w.]+|\$(?:JS|SRV|KV|O)\.\S+)$/;
    for (const subject of tap.subjects) {
      expect(subject).toMatch(fixed);
      expect(subject).not.toContain(EVIL);
    }
    const lines = log.split('\n').slice(0, -1);
    expect(lines.filter((line) => !line.startsWith('{"level":') || !line.endsWith('}'))).toEqual([]);
  });
});
