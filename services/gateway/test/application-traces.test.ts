import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RawReply } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import {
  freePort,
  startNats,
  startTraceReceiver,
  type TestNats,
  type TraceReceiver,
  waitFor,
} from '@joblisting/testing';
import { type ServedStandIns, type ServiceProcess, startProcess } from '@joblisting/testing/system';
import { application, job, newApplication } from '../src/routes/examples.ts';
import { companyKeys, json, serveApplications, site } from './support/applications.ts';
import { ask } from './support/gateway.ts';
import { demoAccounts, standInAccounts } from './support/stand-ins.ts';

const planted = 'planted.applicant@secret.example';
let nats: TestNats;
let receiver: TraceReceiver;
let accounts: ServedStandIns;
let owner: Awaited<ReturnType<typeof serveApplications>>;
let gateway: ServiceProcess;
let log = '';
let reply: () => Partial<RawReply> = () => ({});

beforeAll(async () => {
  nats = await startNats();
  receiver = await startTraceReceiver();
  accounts = await standInAccounts(nats.url, demoAccounts());
  owner = await serveApplications(nats.url, [], () => reply());
  const env = {
    NATS_URL: nats.url,
    PORT: String(await freePort()),
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
  };
  gateway = await startProcess('gateway', env, { log: (text) => (log += text) });
});
afterAll(async () => {
  await gateway?.stop();
  await owner?.bus.close();
  await accounts?.close();
  await receiver?.stop();
  await nats?.stop();
});

const send = (method: string, path: string, headers: object, body?: object) =>
  ask(`${gateway.healthUrl}/v1.0${path}`, {
    method,
    headers: { ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });

/** The log's lines of requests to the API, once there are so many. */
const requestLines = (count: number) =>
  waitFor(
    () => {
      const found = log
        .split('\n')
        .filter((line) => line.includes('"msg":"request"') && line.includes('"path":"/v1.0/'))
        .map((line) => JSON.parse(line));
      return found.length >= count ? found : undefined;
    },
    { what: `${count} lines` },
  );

describe('the line of a request', () => {
  it('names the job and the application, from the path or the reply', async () => {
    await send('POST', `/jobs/${job.id}/applications`, { ...site, ...json }, newApplication);
    await send('GET', '/applications?company.id=1', companyKeys);
    await send('GET', '/applications/9002', companyKeys);
    await send('GET', '/applications/9003/files/1', companyKeys);
    await send('POST', '/applications/9004/copies', companyKeys);
    await send('DELETE', '/applications/9005', companyKeys);
    const lines = await requestLines(6);
    const shown = lines.map((line) => [line.operation, line.companyId, line.jobId, line.applicationId]);
    expect(shown).toEqual([
      ['createApplication', undefined, job.id, application.id],
      ['listApplications', 1, undefined, undefined],
      ['getApplication', undefined, undefined, 9002],
      ['getApplicationFile', undefined, undefined, 9003],
      ['queueCopies', undefined, undefined, 9004],
      ['deleteApplication', undefined, undefined, 9005],
    ]);
  });

  it('names the job of an application that is refused', async () => {
    reply = () => {
      throw new ServiceError('job_not_open');
    };
    const before = (await requestLines(6)).length;
    await send('POST', `/jobs/${job.id}/applications`, { ...site, ...json }, newApplication);
    const line = (await requestLines(before + 1)).at(-1);
    expect([line.outcome, line.jobId, line.applicationId]).toEqual(['job_not_open', job.id, undefined]);
  });
});

describe('an e-mail address in the query', () => {
  const query = `company.id=1&email=${encodeURIComponent(planted)}`;
  const outcomes: [string, () => Partial<RawReply>, number][] = [
    ['is erased', () => ({}), 200],
    [
      'is refused',
      () => {
        throw new ServiceError('company_forbidden');
      },
      403,
    ],
    [
      'meets a fault',
      () => {
        throw new Error('broken');
      },
      500,
    ],
  ];

  it('is in no log line, no span and no error, whatever comes of the request', async () => {
    const before = (await requestLines(1)).length;
    for (const [, outcome, status] of outcomes) {
      reply = outcome;
      const answer = await send('DELETE', `/applications?${query}`, companyKeys);
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain(planted);
    }
    const unrouted = [
      await send('PUT', `/applications?${query}`, companyKeys),
      await send('DELETE', `/applicants?${query}`, companyKeys),
      await send('DELETE', `/applications?${query}&email=${planted}`, companyKeys),
      await send('DELETE', `/applications?${query}`, {}),
    ];
    expect(unrouted.map(({ status }) => status)).toEqual([405, 404, 400, 401]);
    for (const { body } of unrouted) expect(body.instance).not.toContain('?');
    await requestLines(before + outcomes.length + unrouted.length);
    await waitFor(
      () =>
        receiver.spans().filter(({ name }) => name === 'applications.v1.erase').length === outcomes.length,
      { what: 'the spans', limitMs: 20_000 },
    );
    for (const part of ['planted.applicant', 'secret.example']) {
      expect(log).not.toContain(part);
      expect(JSON.stringify(receiver.spans())).not.toContain(part);
    }
  });
});
