import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createJob,
  deleteJobByReference,
  listJobs,
  putJob,
  ServiceError,
  unavailable,
  updateJob,
} from '@joblisting/contracts';
import { freePort, startNats, type TestNats, waitFor } from '@joblisting/testing';
import {
  serveStandIns,
  type ServedStandIns,
  type ServiceProcess,
  standIn,
  startProcess,
} from '@joblisting/testing/system';
import { job, jobReference, newJob } from '../src/routes/examples.ts';
import { ask } from './support/gateway.ts';
import { demoAccounts, keys, secretOf, standInAccounts } from './support/stand-ins.ts';
import { linesOf } from './support/log-lines.ts';

let nats: TestNats;
let owners: ServedStandIns[];
let gateway: ServiceProcess;
let log = '';
/** Replaces the answer to `createJob`. */
let refusal: ServiceError | undefined;

beforeAll(async () => {
  nats = await startNats();
  owners = [
    await standInAccounts(nats.url, demoAccounts()),
    await serveStandIns(nats.url, 'jobs', [
      standIn(listJobs, async () => ({ data: [] })),
      standIn(createJob, async () => {
        if (refusal) throw refusal;
        return { outcome: 'created', id: job.id, data: job };
      }),
      standIn(putJob, async () => ({ id: job.id, data: job })),
      standIn(updateJob, async () => ({ data: job })),
      standIn(deleteJobByReference, async () => ({ outcome: 'deleted', id: job.id })),
    ]),
  ];
  const env = {
    NATS_URL: nats.url,
    PORT: String(await freePort()),
    LOG_LEVEL: 'info',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  gateway = await startProcess('gateway', env, { log: (text) => (log += text) });
});
afterAll(async () => {
  await gateway?.stop();
  for (const owner of owners) await owner.close();
  await nats?.stop();
});

const lines = linesOf(() => log);

describe('the line of a request', () => {
  it('says who asked, about which company, and which job was written', async () => {
    const send = async (method: string, path: string, body?: object) => {
      const headers = { ...keys, 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.7' };
      await ask(`${gateway.healthUrl}/v1.0/jobs${path}`, { method, headers, body: JSON.stringify(body) });
    };
    await send('GET', '?company.id=2');
    await send('POST', '', newJob);
    await send('PUT', '', { ...jobReference, title: 'Other' });
    await send('PUT', '/12', { title: 'Other' });
    await send('DELETE', '', jobReference);

    const logged = await lines('request', 5);
    const who = { clientAddress: '192.0.2.7', consumerId: 7, userId: 70 };
    for (const line of logged) expect(line).toMatchObject(who);
    expect(
      logged.map(({ operation, status, companyId, jobId }) => [operation, status, companyId, jobId]),
    ).toEqual([
      ['listJobs', 200, 2, undefined],
      ['createJob', 201, undefined, job.id],
      ['putJob', 200, undefined, job.id],
      ['updateJob', 200, undefined, 12],
      ['deleteJobByReference', 204, undefined, job.id],
    ]);
  });
});

describe('the line of a refused request', () => {
  const lineOf = async (path: string, body: string | undefined, isKnown = true) => {
    const before = log.length;
    const headers = { ...keys, 'Content-Type': 'application/json' };
    await ask(`${gateway.healthUrl}/v1.0/jobs${path}`, {
      headers: isKnown ? headers : {},
      ...(body !== undefined && { method: 'POST', body }),
    });
    return waitFor(
      () =>
        log
          .slice(before)
          .split('\n')
          .filter((line) => line.includes('"msg":"request"'))
          .map((line) => JSON.parse(line))
          .at(-1),
      { what: 'the line' },
    );
  };

  it('has the codes and places of its violations, and no values', async () => {
    refusal = new ServiceError('validation_failed', 'Two rules are broken.', {
      errors: [
        { pointer: '#/title', code: 'required', detail: 'title is required.' },
        { pointer: '#/categories/3/id', code: 'unknown_id', detail: 'There is no category 4242.' },
      ],
    });
    const line = await lineOf('', JSON.stringify(newJob));
    expect(line).toMatchObject({
      status: 422,
      outcome: 'validation_failed',
      violations: ['required #/title', 'unknown_id #/categories/3/id'],
      violationCount: 2,
    });
    expect(JSON.stringify(line)).not.toContain('4242');
  });

  it('has ten of them at most, and how many there are', async () => {
    const errors = Array.from({ length: 50 }, (_, index) => ({
      pointer: `#/categories/${index}/${'x'.repeat(200)}`,
      code: 'unknown_id' as const,
      detail: 'Unknown.',
    }));
    refusal = new ServiceError('validation_failed', undefined, { errors });
    const line = await lineOf('', JSON.stringify(newJob));
    expect(line.violations).toHaveLength(10);
    expect(line.violationCount).toBe(50);
    for (const violation of line.violations) expect(violation.length).toBeLessThan(120);
  });

  it('names parameters', async () => {
    expect(await lineOf('?company.id=a%40example.com', undefined)).toMatchObject({
      outcome: 'invalid_parameter',
      violations: ['type company.id'],
    });
  });

  it('has no names that the client made up', async () => {
    const line = await lineOf('', '{"ada@example.com": 1, "ada@example.com": 2}');
    expect(line).toMatchObject({ outcome: 'malformed_json', violations: ['repeated'], violationCount: 1 });
  });

  it('has no violations where there are none', async () => {
    const line = await lineOf('?company.id=2', undefined, false);
    expect(line.outcome).toBe('unauthenticated');
    expect(line).not.toHaveProperty('violations');
  });
});

describe('the line of a request with refused keys', () => {
  const lineWith = async (headers: Record<string, string>, requestId: string) => {
    await ask(`${gateway.healthUrl}/v1.0/jobs?company.id=2`, {
      headers: { ...headers, 'Request-Id': requestId },
    });
    const all = await waitFor(
      () => {
        const found = log.split('\n').filter((line) => line.includes(`"requestId":"${requestId}"`));
        return found.length > 0 ? found : undefined;
      },
      { what: 'the line' },
    );
    return JSON.parse(all[0] ?? '');
  };

  it.each([
    ['missing', {}, 'consumer missing, user missing'],
    ['malformed', { ...keys, 'User-API-Key': 'jlu_secret' }, 'user malformed'],
  ])('names a key that is %s', async (what, headers, refusedKeys) => {
    const line = await lineWith(headers, `keys-${what}`);
    expect(line).toMatchObject({ status: 401, refusedKeys });
    expect(JSON.stringify(line)).not.toContain('secret');
  });

  it('names the request by which accounts was asked', async () => {
    const headers = { ...keys, 'User-API-Key': secretOf('user', 'nobody') };
    expect(await lineWith(headers, 'first-use')).toMatchObject({ refusedKeys: 'looked up by first-use' });
    expect(await lineWith(headers, 'second-use')).toMatchObject({ refusedKeys: 'looked up by first-use' });
    expect(log).not.toContain(secretOf('user', 'nobody'));
  });
});

describe('the line of a request that a service did not execute', () => {
  it('names the service', async () => {
    refusal = unavailable('database_away');
    const before = log.length;
    await ask(`${gateway.healthUrl}/v1.0/jobs`, {
      method: 'POST',
      headers: { ...keys, 'Content-Type': 'application/json' },
      body: JSON.stringify(newJob),
    });
    await ask(`${gateway.healthUrl}/v1.0/jobcategories`);
    const logged = await waitFor(
      () => {
        const found = log
          .slice(before)
          .split('\n')
          .filter((line) => line.includes('"msg":"request"'));
        return found.length > 1 ? found.map((line) => JSON.parse(line)) : undefined;
      },
      { what: 'two lines' },
    );
    expect(logged.map(({ status, reason, callee }) => [status, reason, callee])).toEqual([
      [503, 'database_away', 'jobs'],
      [503, 'no_responder', 'categories'],
    ]);
  });
});

describe('the path in the line of a request', () => {
  it.each([
    ['/v1.0/jobs/12?company.id=1', '/v1.0/jobs/12'],
    ['/v1.0/jobs/ada%40example.com', '/v1.0/jobs/…'],
    ['/v1.0/ada@example.com/jobs', '/v1.0/…/jobs'],
    ['/s/abc', '/s/…'],
    ['/openapi.json', '/openapi.json'],
    ['/asyncapi.json', '/asyncapi.json'],
  ])('of %s is %s', async (path, shown) => {
    const before = log.length;
    await ask(gateway.healthUrl + path);
    const line = await waitFor(() => /"path":"([^"]*)"/.exec(log.slice(before)), { what: 'the line' });
    expect(line[1]).toBe(shown);
  });
});
