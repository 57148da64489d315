import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createJob,
  deleteJobByReference,
  listJobs,
  putJob,
  ServiceError,
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
import { speak } from './support/raw.ts';
import { demoAccounts, keys, standInAccounts } from './support/stand-ins.ts';

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

/** The log's lines with this message, once there are so many. */
const lines = (msg: string, count: number) =>
  waitFor(
    () => {
      const found = log
        .split('\n')
        .filter((line) => line.includes(`"msg":"${msg}"`))
        .map((line) => JSON.parse(line));
      return found.length >= count ? found : undefined;
    },
    { what: `${count} lines of ${msg}` },
  );

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

describe('requests that are not HTTP', () => {
  const garbage = 'this is not HTTP\r\n\r\n';

  it('have one line a second, which says how many it left out', async () => {
    await speak(gateway.healthUrl, garbage);
    let sent = 1;
    const [first] = await lines('unparsed request', 1);
    expect(first).toMatchObject({
      level: 30,
      requestId: expect.any(String),
      clientAddress: '127.0.0.1',
      status: 400,
      error: expect.stringMatching(/^HPE_/),
      suppressed: 0,
    });
    const [, second] = await waitFor(
      async () => {
        await speak(gateway.healthUrl, garbage);
        sent++;
        const found = await lines('unparsed request', 1);
        return found.length > 1 ? found : undefined;
      },
      { what: 'the second line' },
    );
    expect(second.suppressed).toBeGreaterThan(0);
    expect(second.suppressed).toBeLessThan(sent);
    expect(Date.parse(second.time) - Date.parse(first.time)).toBeGreaterThanOrEqual(990);
  });

  it('are counted by status', async () => {
    const count = async () => {
      const text = await (await fetch(gateway.metricsUrl)).text();
      return Number(/^http_server_unparsed_requests_total\{status="400"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const before = await count();
    await speak(gateway.healthUrl, garbage);
    expect(await count()).toBe(before + 1);
  });
});
