import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus, type RawReply, type RawRequest } from '@joblisting/bus';
import {
  createCategory,
  createJob,
  deleteJob,
  deleteJobByReference,
  getJob,
  type Operation,
  putJob,
  ServiceError,
  updateJob,
} from '@joblisting/contracts';
import { job, jobReference, newJob } from '../src/routes/examples.ts';
import { takesDryRun } from '../src/routes/row.ts';
import { table } from '../src/routes/table.ts';
import { ask, PUBLIC_URL, startGateway, type TestGateway } from './support/gateway.ts';
import { keys } from './support/stand-ins.ts';

let gateway: TestGateway;
let bus: Bus;
let seen: RawRequest[] = [];
let refusal: ServiceError | undefined;

const data = new TextEncoder().encode(JSON.stringify({ ...job, id: 0 }));
const replies = new Map<Operation, RawReply>([
  [createJob, { outcome: 'created', data }],
  [putJob, { outcome: 'created', data }],
  [updateJob, { outcome: 'ok', data }],
  [deleteJob, { outcome: 'deleted', data: new Uint8Array() }],
  [deleteJobByReference, { outcome: 'deleted', data: new Uint8Array() }],
  [getJob, { outcome: 'ok', version: 1, data }],
  [createCategory, { outcome: 'created', id: 1001, version: 1, data }],
]);

beforeAll(async () => {
  gateway = await startGateway();
  bus = await connectBus({ url: gateway.nats.url, name: 'standIns' });
  const endpoints = [...replies].map(([operation, answer]) => ({
    operation,
    handle: async (raw: RawRequest) => {
      seen.push(raw);
      if (refusal) throw refusal;
      return answer;
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
  refusal = undefined;
});

const send = (method: string, path: string, body: unknown = {}, headers: object = {}) =>
  ask(gateway.base + path, {
    method,
    headers: { ...keys, 'Content-Type': 'application/json', ...headers },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  });
const update = { title: 'Fitter' };

describe.each([
  ['POST', '/jobs', newJob, 201],
  ['PUT', '/jobs', { ...newJob, ...jobReference }, 201],
  ['PUT', '/jobs/4711', update, 200],
] as const)('%s %s with dryRun', (method, path, body, status) => {
  it('true: says so, and names nothing that does not exist', async () => {
    const answer = await send(method, `${path}?dryRun=true`, body);
    expect([answer.status, answer.body.data.id, answer.headers.get('dry-run')]).toEqual([status, 0, 'true']);
    expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([null, null]);
    expect(answer.headers.get('access-control-expose-headers')).toContain('Dry-Run');
    expect(seen[0]?.params).toMatchObject({ dryRun: true });
  });

  it('false: is the request without it', async () => {
    const answer = await send(method, `${path}?dryRun=false`, body);
    expect(answer.headers.get('dry-run')).toBeNull();
    expect(seen[0]?.params).toMatchObject({ dryRun: false });
  });

  it.each(['', 'True', '1', 'yes', 'true&dryRun=true', 'true%20'])('%j: 400', async (value) => {
    const answer = await send(method, `${path}?dryRun=${value}`, body);
    expect([answer.status, answer.body.code, seen.length]).toEqual([400, 'invalid_parameter', 0]);
    expect(answer.body.errors).toMatchObject([{ parameter: 'dryRun' }]);
  });

  it.each(['dryrun', 'dry_run', 'Dry-Run'])('%s: 400, because an ignored one would write', async (name) => {
    const answer = await send(method, `${path}?${name}=true`, body);
    expect([answer.status, seen.length]).toEqual([400, 0]);
    expect(answer.body.errors).toMatchObject([{ parameter: name, code: 'not_allowed' }]);
  });

  it('true: passes a refusal on, and says that it was a dry run', async () => {
    refusal = new ServiceError('reference_id_taken', undefined, { conflict: { resource: 'job', id: 12 } });
    const answer = await send(method, `${path}?dryRun=true`, body);
    expect([answer.status, answer.headers.get('dry-run')]).toEqual([409, 'true']);
    expect(answer.body.conflict).toEqual({ id: 12, href: `${PUBLIC_URL}/v1.0/jobs/12` });
  });
});

it('POST /jobs?dryRun=true leaves its Idempotency-Key for the request that it tries', async () => {
  await send('POST', '/jobs?dryRun=true', newJob, { 'Idempotency-Key': 'a-key' });
  await send('POST', '/jobs?dryRun=false', newJob, { 'Idempotency-Key': 'a-key' });
  expect(seen.map(({ idempotencyKey }) => idempotencyKey)).toEqual([undefined, 'a-key']);
  const answer = await send('POST', '/jobs?dryRun=true', newJob, { 'Idempotency-Key': 'a key' });
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_header']);
});

const override = { 'X-HTTP-Method-Override': 'DELETE' };

it.each([
  ['DELETE', '/jobs/4711', 'no override', {}],
  ['DELETE', '/jobs', 'no override', {}],
  ['POST', '/jobs/4711', 'DELETE as override', override],
  ['POST', '/jobcategories', 'no override', {}],
])('%s %s with %s has no dry run, and is not carried out with dryRun', async (method, path, _, headers) => {
  const answer = await send(method, `${path}?dryRun=true`, {}, headers);
  expect([answer.status, answer.body.errors[0].code, seen]).toEqual([400, 'not_allowed', []]);
});

it.each(['dryRun', 'dryrun', 'dry_run'])('GET ignores %s like any other unknown parameter', async (name) => {
  const answer = await send('GET', `/jobs/4711?${name}=true`);
  expect([answer.status, seen.length]).toEqual([200, 1]);
  expect(answer.body.warnings).toMatchObject([{ parameter: name, code: 'unknown_field' }]);
});

it('the description shows the parameter and the header where they are', async () => {
  expect(table.filter(takesDryRun).map(({ name }) => name)).toEqual([
    'createJob',
    'putJob',
    'batchJobs',
    'updateJob',
  ]);
  const { post } = (await ask(`${gateway.origin}/openapi.json`)).body.paths['/jobs'];
  expect(post.parameters).toContainEqual(
    expect.objectContaining({ name: 'dryRun', in: 'query', schema: { type: 'boolean', default: false } }),
  );
  expect(post.responses['201'].headers['Dry-Run']).toEqual({ $ref: '#/components/headers/Dry-Run' });
});
