import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ApplicationReceived, applicationReceived, metricsReported } from '@joblisting/contracts';
import { createLog, type Log } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import { countedOf, readSeries, type RunningMetrics, runMetrics, send, view } from './running-metrics.ts';

const info = jest.fn();
const warn = jest.fn();

let metrics: RunningMetrics;
beforeAll(async () => {
  metrics = await runMetrics(
    Object.assign(Object.create(createLog('metrics', 'silent')) as Log, { info, warn }),
  );
  metrics.jobs.existing.add(1).add(2).add(3).add(4);
  await metrics.addReplica();
});
afterAll(() => metrics.stop());

let messages = 0;
/** Each call is a message of its own, as a delivery that comes again long after is. */
const receive = (
  applicationId: number,
  jobId: number,
  more: Partial<Record<keyof ApplicationReceived, unknown>> = {},
) => {
  const payload = { applicationId, jobId, companyId: 1, at: '2026-03-01T12:00:00Z', ...more };
  return metrics.bus.publishEvent(
    applicationReceived,
    payload as ApplicationReceived,
    `message-${messages++}`,
  );
};
const countsOf = async (jobId: number) => (await countedOf(metrics.mongo)).get(jobId);
const applicationsOf = async (jobId: number) => (await countsOf(jobId))?.application ?? 0;
const waitForApplications = (jobId: number, many: number) =>
  waitFor(async () => (await applicationsOf(jobId)) === many, { what: `${many} applications` });

const subject = applicationReceived.subject;

describe('a received application', () => {
  it('finds its stream and its durable consumer before `applications` is there', async () => {
    const [replica] = metrics.replicas;
    // The replica makes its consumers after its start.
    const states = await waitFor(() => replica?.bus.consumerStates(), {
      what: 'the consumers',
    });
    expect(states).toContainEqual(expect.objectContaining({ stream: 'APPLICATIONS', durable: 'metrics' }));
  });

  it('counts once, though it is delivered twice and reported under its id before and after', async () => {
    const event = { id: 'application:1', jobId: 1, type: 'application' as const };
    let views = 0;
    const report = async () => {
      const events = [event, view(`marker-${++views}`)];
      await metrics.bus.publishEvent(metricsReported, { events }, `report-${views}`);
      expect(await send(metrics.bus, [event])).toEqual({ accepted: 0, duplicates: 1, rejected: [] });
      await waitFor(async () => (await countsOf(1))?.view === views, { what: 'the reported view' });
    };

    await report();
    expect(await applicationsOf(1)).toBe(0);

    await receive(1, 1);
    await receive(1, 1);
    await receive(2, 1);
    await waitForApplications(1, 2);

    await report();
    await receive(1, 1);
    await receive(3, 1);
    await waitForApplications(1, 3);
    expect(await countsOf(1)).toEqual({ view: 2, application: 3, clickThrough: 0 });
    await waitFor(() => metrics.jobs.counts.get(1)?.application === 3, { what: 'the total in jobs' });
  });

  it('counts on the day of its receipt by its source, though it is consumed later', async () => {
    const yesterday = new Date(metrics.clock.now() - 24 * 3600_000).toISOString();
    await receive(40, 4, { at: yesterday, source: 'indeed' });
    await receive(41, 4, { at: yesterday });
    await waitForApplications(4, 2);
    const { series } = await readSeries(metrics.bus, 4);
    const row = { date: yesterday.slice(0, 10), views: 0, applications: 1, clickThroughs: 0 };
    expect(series).toEqual([
      { ...row, source: null },
      { ...row, source: 'indeed' },
    ]);
  });

  it('is dropped with an info line when its job was deleted meanwhile', async () => {
    await receive(10, 99);
    await receive(11, 2);
    await waitForApplications(2, 1);
    expect(await countsOf(99)).toBeUndefined();
    expect(info).toHaveBeenCalledWith(expect.objectContaining({ subject, rejected: 1 }), expect.any(String));
  });

  it.each([
    ['no application', { applicationId: undefined }],
    ['a job id that is text', { jobId: '3' }],
  ])('is dropped with a warning when its message has %s', async (_what, more) => {
    const before = await applicationsOf(3);
    warn.mockClear();
    await receive(20, 3, more);
    await receive(30 + before, 3);
    await waitForApplications(3, before + 1);
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({
        subject,
        violations: [expect.objectContaining({ code: expect.any(String) })],
      }),
      expect.any(String),
    );
  });
});
