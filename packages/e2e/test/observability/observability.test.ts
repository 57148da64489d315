import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedSpan, traceAsText, waitFor } from '@joblisting/testing';
import { jobBody, serviceNames } from '@joblisting/testing/system';
import { alerts, folder, queries } from './files.ts';
import { namesIn, namesExported, withoutVariables } from './promql.ts';
import { type ObservedSystem, startObservedSystem } from './observed-system.ts';

const SPAN = '00f067aa0ba902b7';
let observed: ObservedSystem;

beforeAll(async () => {
  observed = await startObservedSystem();
}, 120_000);
afterAll(() => observed?.stop());

/** Sends a request with the client's trace id. */
const send = (traceId: string, path: string, options: { method?: string; body?: unknown } = {}) =>
  observed.world.api.send(path, { ...options, headers: { traceparent: `00-${traceId}-${SPAN}-00` } });

/** Removes spans of key checks, which depend on the gateway's cache. */
const withoutKeys = (spans: readonly ReceivedSpan[]) =>
  spans.filter(({ service, name }) => service !== 'accounts' && !name.startsWith('accounts.'));

const newTraceId = () => crypto.randomUUID().replaceAll('-', '');

describe('a trace', () => {
  it('covers HTTP, bus and database, with the trace id of the client', async () => {
    const traceId = newTraceId();
    const { json } = await observed.world.api.post('/jobs', jobBody(observed.world.companyId));
    const { headers } = await send(traceId, `/jobs/${json.data.id}`);
    expect(headers.get('traceparent')).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));

    const spans = await observed.spansOf(traceId, ['gateway', 'jobs']);
    expect(traceAsText(withoutKeys(spans))).toBe(
      [
        'gateway: server GET /v1.0/jobs/:id',
        '  gateway: client jobs.v1.get',
        '    jobs: server jobs.v1.get',
        '      jobs: client find jobs',
      ].join('\n'),
    );
    const first = spans.find(({ name }) => name.startsWith('GET'));
    expect(first).toMatchObject({ parentId: SPAN, attributes: { 'http.response.status_code': 200 } });
    expect(String(headers.get('traceparent'))).toContain(String(first?.spanId));
  });

  it('covers every service that a request reaches', async () => {
    const body = jobBody(observed.world.companyId, { categories: [{ name: 'Gardening' }] });
    const create = async () => {
      const traceId = newTraceId();
      const { status } = await send(traceId, '/jobs', { method: 'POST', body });
      expect(status).toBe(201);
      return observed.spansOf(traceId, ['gateway', 'jobs', 'categories', 'shortlink']);
    };
    // On a slow machine the trace may lack the short link, because the job does not wait for it.
    const spans = await create().catch(create);
    const text = traceAsText(spans);
    expect(text).toMatch(/^gateway: server POST \/v1\.0\/jobs\n {2}gateway: client jobs\.v1\.create\n/);
    expect(text).toMatch(/jobs: client categories\.\S+\n\s+categories: server categories\./);
    expect(text).toMatch(/jobs: client insertMany jobs/);
    const spansText = JSON.stringify(spans);
    for (const secret of [observed.world.consumerKey, observed.world.userKey, 'Gardener']) {
      expect(spansText).not.toContain(secret);
    }
  });

  it.each([
    ['nonsense', 'not a trace'],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a trace id of 4,000 digits', `00-${'f'.repeat(4000)}-${SPAN}-01`],
  ])('is new after an invalid traceparent: %s', async (_what, traceparent) => {
    const { headers } = await observed.world.api.get('/jobtypes', { traceparent });
    const [, traceId = ''] =
      /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(headers.get('traceparent') ?? '') ?? [];
    const spans = await observed.spansOf(traceId, ['gateway']);
    const first = spans.find(({ name }) => name.startsWith('GET'));
    expect(first).toMatchObject({ parentId: '' });
  });

  it('is in the log of every service that it passed', async () => {
    const traceId = newTraceId();
    const { headers } = await send(traceId, '/jobs/2000000000');
    const requestId = headers.get('request-id');
    const logged = await waitFor(
      () => {
        const lines = observed.lines().filter((line) => line['traceId'] === traceId);
        const passed = lines.filter(({ service }) => service !== 'accounts');
        return passed.length === 2 ? passed : undefined;
      },
      { what: 'two lines' },
    );
    const shown = logged.map(({ service, operation, outcome }) => [service, operation, outcome].join(' '));
    expect(new Set(shown)).toEqual(
      new Set(['gateway getJob job_not_found', 'jobs jobs.v1.get job_not_found']),
    );
    for (const line of logged) expect(line).toMatchObject({ requestId, durationMs: expect.any(Number) });
  });
});

describe('/metrics', () => {
  it('counts requests of the gateway and of the services', async () => {
    const { api } = observed.world;
    for (let id = 2_000_000_001; id < 2_000_000_004; id++) await api.get(`/jobs/${id}`);
    const gateway = await observed.metricsOf('gateway');
    // The scheduler publishes the last noon at its start. Wait until jobs has processed it.
    const jobs = await waitFor(
      async () => {
        const shown = await observed.metricsOf('jobs');
        const isDone = /^bus_consumer_events\{stream="SCHEDULER",consumer="jobs",state="pending"\} 0$/m.test(
          shown,
        );
        return isDone ? shown : undefined;
      },
      { what: 'no pending message of the scheduler' },
    );
    expect(gateway).toMatch(
      /^http_server_requests_total\{method="GET",route="\/v1\.0\/jobs\/:id",status="404"\} [3-9]$/m,
    );
    expect(gateway).toMatch(/^http_server_refusals_total\{code="job_not_found"\} [3-9]$/m);
    expect(gateway).toMatch(/^bus_client_request_duration_seconds_count\{operation="jobs\.v1\.get"\} /m);
    expect(jobs).toMatch(/^bus_server_requests_total\{operation="jobs\.v1\.get",outcome="job_not_found"\} /m);
    expect(jobs).toMatch(/^relay_oldest_change_age_seconds [0-9.]+$/m);
    // Labels must not contain ids. Sums of times may contain such digits.
    expect(gateway + jobs).not.toMatch(/\{[^}]*200000000/);
  });

  it('is not public', async () => {
    const { status } = await observed.world.anonymous.send(`${observed.system.origin}/metrics`);
    expect(status).toBe(404);
  });
});

describe('dashboard and alerts', () => {
  it('use only metrics and labels that services export', async () => {
    const exported = await Promise.all(serviceNames.map((name) => observed.metricsOf(name)));
    const known = namesExported(exported.join('\n'));
    // Prometheus adds these to what it scrapes.
    const metrics = new Set([...known.metrics, 'up']);
    // `reason` appears with the first 503 or 504.
    const labels = new Set([...known.labels, 'reason', 'job', 'instance', 'service', 'le']);
    const expressions = [
      ...(await queries()),
      ...(await alerts()).map(({ alert, expr }) => ({ source: alert, expression: expr })),
    ];
    expect(expressions.length).toBeGreaterThan(50);
    for (const { source, expression } of expressions) {
      const used = namesIn(withoutVariables(expression));
      expect([source, [...used.metrics].filter((name) => !metrics.has(name))]).toEqual([source, []]);
      expect([source, [...used.labels].filter((name) => !labels.has(name))]).toEqual([source, []]);
    }
  });

  it('explain each alert and what to do', async () => {
    for (const { alert, labels, annotations } of await alerts()) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(page|ticket)$/)]);
      expect([alert, annotations.summary.length > 20]).toEqual([alert, true]);
      expect([alert, annotations.runbook.length > 60]).toEqual([alert, true]);
    }
  });

  // Optional: PROMTOOL is the path of Prometheus' promtool.
  const promtool = process.env['PROMTOOL'];
  (promtool ? it : it.skip)('are valid for Prometheus and fire as tested', async () => {
    const check = (...args: string[]) => execFileSync(String(promtool), args, { encoding: 'utf8' });
    check('check', 'config', `${folder}prometheus/prometheus.yml`);
    check('check', 'config', `${folder}prometheus/local.yml`);
    check('test', 'rules', `${folder}prometheus/alerts.test.yml`);
    const rules = (await queries()).map(({ expression }, index) => ({
      record: `query_${index}`,
      expr: withoutVariables(expression),
    }));
    const directory = mkdtempSync(join(tmpdir(), 'queries-'));
    try {
      const file = join(directory, 'rules.yml');
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      check('check', 'rules', file);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
