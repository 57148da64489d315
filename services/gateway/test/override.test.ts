import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createJob, deleteJob, deleteJobByReference, getJob, updateJob } from '@joblisting/contracts';
import { job, jobReference, newJob } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { consumerKey, keys, userKey } from './support/stand-ins.ts';

let gateway: TestGateway;
let done: string[] = [];
const override = (method: string) => ({ ...keys, 'X-HTTP-Method-Override': method });
const json = { 'Content-Type': 'application/json' };

beforeAll(async () => {
  gateway = await startGateway();
  const note = (name: string) => done.push(name);
  await gateway.standIn(getJob, async () => (note('get'), { data: job }));
  await gateway.standIn(
    createJob,
    async () => (note('create'), { outcome: 'created', id: job.id, data: job }),
  );
  await gateway.standIn(updateJob, async () => (note('update'), { data: job }));
  await gateway.standIn(deleteJob, async () => (note('delete'), { outcome: 'deleted' }));
  await gateway.standIn(
    deleteJobByReference,
    async () => (note('deleteByReference'), { outcome: 'deleted' }),
  );
});
afterAll(() => gateway.stop());
beforeEach(() => {
  done = [];
});

describe('X-HTTP-Method-Override', () => {
  it.each([
    ['DELETE', '/jobs/1', {}, undefined, 204, 'delete'],
    ['delete', '/jobs/1', {}, undefined, 204, 'delete'],
    ['DELETE', '/jobs', { 'Content-Type': 'text/plain' }, jobReference, 204, 'deleteByReference'],
    ['PUT', '/jobs/1', json, { title: 'New' }, 200, 'update'],
    ['Put', '/jobs/1', json, { title: 'New' }, 200, 'update'],
  ])('POST with %s on %s acts as the named method', async (method, path, headers, body, status, name) => {
    const answer = await ask(gateway.base + path, {
      method: 'POST',
      headers: { ...override(method), ...(headers as Record<string, string>) },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([answer.status, done]).toEqual([status, [name]]);
  });

  it.each(['PATCH', 'GET', 'HEAD', 'OPTIONS', 'DELETE, DELETE', 'x'])('refuses %s', async (method) => {
    for (const path of ['/jobs', '/jobs/1', '/jobcategories/1']) {
      const answer = await ask(gateway.base + path, {
        method: 'POST',
        headers: { ...override(method), ...json },
        body: JSON.stringify(newJob),
      });
      expect([answer.status, answer.body.code]).toEqual([400, 'method_override']);
      expect(answer.body.errors).toMatchObject([{ header: 'X-HTTP-Method-Override' }]);
    }
    expect(done).toEqual([]);
  });

  it.each([
    ['401 first', { 'X-HTTP-Method-Override': 'PATCH' }, '/jobs/1', 401],
    ['404 first', override('PATCH'), '/nothing', 404],
    ['415 first', { ...override('PATCH'), 'Content-Type': 'text/plain' }, '/jobs', 415],
    ['405 of the named method', override('DELETE'), '/metrics/events', 401],
    ['405 of the named method', override('DELETE'), '/jobcategories', 405],
  ])('an invalid override is refused in its place in the order: %s', async (_what, headers, path, status) => {
    const answer = await ask(gateway.base + path, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(status);
  });

  it('is ignored on another method', async () => {
    const answer = await ask(`${gateway.base}/jobs/1`, { headers: override('DELETE') });
    expect([answer.status, done]).toEqual([200, ['get']]);
  });

  it('asks for the scope of the named method, and HTTP Basic stays for GET', async () => {
    const basic = `Basic ${Buffer.from(`${consumerKey}:${userKey}`).toString('base64')}`;
    const answer = await ask(`${gateway.base}/jobs/1`, {
      method: 'POST',
      headers: { 'X-HTTP-Method-Override': 'DELETE', Authorization: basic },
    });
    expect([answer.status, done]).toEqual([401, []]);
  });
});
