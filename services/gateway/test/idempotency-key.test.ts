import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus, type RawReply, type RawRequest } from '@joblisting/bus';
import {
  createApplication,
  createCategory,
  createJob,
  deleteJobByReference,
  getJob,
  type Operation,
  putJob,
  recordEvents,
  queueCopies,
  ServiceError,
  updateJob,
  type Warning,
} from '@joblisting/contracts';
import {
  application,
  applicationCopy,
  customCategory,
  job,
  jobReference,
  metricsBatch,
  metricsReceipt,
  newApplication,
  newJob,
} from '../src/routes/examples.ts';
import { table } from '../src/routes/table.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys, metricsKey, siteKey } from './support/stand-ins.ts';
import { askRaw } from './support/raw.ts';

let gateway: TestGateway;
let bus: Bus;
let seen: RawRequest[] = [];
let reply: () => Promise<Partial<RawReply>>;

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const replies = new Map<Operation, RawReply>([
  [createJob, { outcome: 'created', id: job.id, version: 1, data: bytes(job) }],
  [createCategory, { outcome: 'created', id: 1001, version: 1, data: bytes(customCategory) }],
  [createApplication, { outcome: 'created', id: application.id, data: bytes(application) }],
  [queueCopies, { outcome: 'ok', data: bytes([applicationCopy]) }],
  [recordEvents, { outcome: 'ok', data: bytes(metricsReceipt) }],
  [getJob, { outcome: 'ok', version: 1, data: bytes(job) }],
  [putJob, { outcome: 'ok', version: 2, data: bytes(job) }],
  [updateJob, { outcome: 'ok', version: 2, data: bytes(job) }],
  [deleteJobByReference, { outcome: 'deleted', data: new Uint8Array() }],
]);

beforeAll(async () => {
  gateway = await startGateway();
  bus = await connectBus({ url: gateway.nats.url, name: 'standIns' });
  const endpoints = [...replies].map(([operation, answer]) => ({
    operation,
    handle: async (raw: RawRequest) => {
      seen.push(raw);
      return { ...answer, ...(await reply()) };
    },
  }));
  const options = { name: 'standIns', version: '1.0.0', description: 'Played.', maxInFlight: 10 };
  await bus.serve(endpoints, { ...options, onError: () => undefined });
});
afterAll(async () => {
  await gateway.stop();
  await bus.close();
});
beforeEach(() => {
  seen = [];
  reply = async () => ({});
});

const json = { 'Content-Type': 'application/json' };
const send = (method: string, path: string, headers: object, body?: unknown) =>
  ask(gateway.base + path, {
    method,
    headers: { ...keys, ...json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const sentKeys = () => seen.map(({ idempotencyKey }) => idempotencyKey);

const posts = [
  ['/jobs', newJob, {}],
  ['/jobcategories', { name: customCategory.name, company: customCategory.company }, {}],
  ['/metrics/events', metricsBatch, { 'Consumer-API-Key': metricsKey }],
  ['/jobs/4711/applications', newApplication, { 'Consumer-API-Key': siteKey }],
  ['/applications/9001/copies', { to: 'all' }, {}],
] as const;

describe.each(posts)('POST %s', (path, body, own) => {
  const post = (headers: object) => send('POST', path, { ...own, ...headers }, body);

  it('is passed on, and nothing where it is absent', async () => {
    await post({ 'Idempotency-Key': 'a-key' });
    await post({});
    expect(sentKeys()).toEqual(['a-key', undefined]);
  });

  it('a replayed answer is the first one with Idempotent-Replayed', async () => {
    const warnings: Warning[] = [{ code: 'unknown_field', detail: 'Ignored.', pointer: '#/odd' }];
    reply = async () => ({ warnings });
    const first = await post({ 'Idempotency-Key': 'a-key' });
    reply = async () => ({ warnings, replayed: true });
    const again = await post({ 'Idempotency-Key': 'a-key' });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.body.warnings).toEqual(warnings);
    for (const name of ['location', 'etag', 'content-type', 'cache-control']) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
    const said = [first, again].map(({ headers }) => headers.get('idempotent-replayed'));
    expect(said).toEqual([null, 'true']);
  });

  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['too long', 'x'.repeat(256)],
    ['beyond ASCII', '\u00e9'],
    ['sent twice', ['a', 'a']],
    ['sent twice, once empty', ['', '']],
  ])('400 where it is %s, before the body is judged', async (_what, key) => {
    const headers = { ...keys, ...json, ...own, 'Idempotency-Key': key };
    const answer = await askRaw(gateway.base + path, 'POST', headers, '{');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({
      code: 'invalid_header',
      errors: [{ header: 'Idempotency-Key' }],
    });
    expect(seen).toEqual([]);
  });

  it('409 with Retry-After while the first request is handled, 422 for another body', async () => {
    reply = () =>
      Promise.reject(new ServiceError('idempotency_key_in_flight', undefined, { retryAfterSeconds: 1 }));
    const busy = await post({ 'Idempotency-Key': 'a-key' });
    expect([busy.status, busy.body.code, busy.headers.get('retry-after')]).toEqual([
      409,
      'idempotency_key_in_flight',
      '1',
    ]);
    reply = () => Promise.reject(new ServiceError('idempotency_key_reused'));
    const reused = await post({ 'Idempotency-Key': 'a-key' });
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('401 and 415 come before its own errors', async () => {
    const bad = { ...own, 'Idempotency-Key': 'a b' };
    expect((await send('POST', path, { ...bad, 'Consumer-API-Key': 'jlc_no' }, body)).status).toBe(401);
    expect((await send('POST', path, { ...bad, 'Content-Type': 'text/plain' }, body)).status).toBe(415);
  });
});

describe('other operations ignore the header', () => {
  it.each([
    ['GET', '/jobs/1', {}, undefined],
    ['PUT', '/jobs/1', {}, { title: 'New' }],
    ['PUT', '/jobs', {}, { ...newJob, ...jobReference }],
    ['DELETE', '/jobs', {}, jobReference],
    ['POST', '/jobs', { 'X-HTTP-Method-Override': 'PUT' }, { ...newJob, ...jobReference }],
    ['POST', '/jobs', { 'X-HTTP-Method-Override': 'DELETE' }, jobReference],
  ])('%s %s with %j', async (method, path, headers, body) => {
    for (const key of ['a-key', 'a b']) {
      const answer = await send(method, path, { ...headers, 'Idempotency-Key': key }, body);
      expect(answer.status).toBeLessThan(300);
    }
    expect(sentKeys()).toEqual([undefined, undefined]);
  });
});

describe('the description', () => {
  it('has the header, its echo and its refusals, where there is one and nowhere else', async () => {
    const { paths } = (await ask(`${gateway.origin}/openapi.json`)).body;
    for (const { method, path } of table) {
      const { parameters, responses } = paths[path][method.toLowerCase()];
      const takesKey = method === 'POST';
      const parameter = parameters.find(({ name }: { name: string }) => name === 'Idempotency-Key');
      expect([path, method, parameter !== undefined]).toEqual([path, method, takesKey]);
      const success = responses['201'] ?? responses['200'] ?? responses['202'] ?? responses['204'];
      expect('Idempotent-Replayed' in success.headers).toBe(takesKey);
      const examples = (status: number) =>
        Object.keys(responses[status]?.content?.['application/json'].examples ?? {});
      expect(examples(409).includes('idempotency_key_in_flight')).toBe(takesKey);
      expect(examples(422).includes('idempotency_key_reused')).toBe(takesKey);
      if (!takesKey) continue;
      expect(examples(400)).toContain('invalid_header');
      expect(parameter).toMatchObject({ in: 'header', schema: { minLength: 1, maxLength: 255 } });
      expect(responses['409'].headers).toHaveProperty('Retry-After');
    }
  });

  it('says for whom and how long a key holds, and what its refusals mean', async () => {
    const guide = await (await fetch(`${gateway.origin}/docs/retries.md`)).text();
    for (const word of ['24 hours', 'two API keys, the method and the path', '409', '422']) {
      expect(guide).toContain(word);
    }
    const page = await (await fetch(`${gateway.origin}/docs/errors`)).text();
    expect(page).toContain('<code>idempotency_key_reused</code>');
    expect(page).toContain('Send another request with a new key.');
  });
});
