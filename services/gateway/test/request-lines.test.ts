import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createJob, deleteJobByReference, listJobs, putJob, updateJob } from '@joblisting/contracts';
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

beforeAll(async () => {
  nats = await startNats();
  owners = [
    await standInAccounts(nats.url, demoAccounts()),
    await serveStandIns(nats.url, 'jobs', [
      standIn(listJobs, async () => ({ data: [] })),
      standIn(createJob, async () => ({ outcome: 'created', id: job.id, data: job })),
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
