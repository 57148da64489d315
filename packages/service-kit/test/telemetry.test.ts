import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus, type Consuming } from '@joblisting/bus';
import { createLink, transitionDue, schedulerStream, unavailable } from '@joblisting/contracts';
import {
  databasePrefix,
  freePort,
  startNats,
  startTraceReceiver,
  testMongoUri,
  type TestNats,
  traceAsText,
  type TraceReceiver,
  waitFor,
} from '@joblisting/testing';
import { Schema } from 'mongoose';
import {
  endpoint,
  inTransaction,
  productVersion,
  type RunningService,
  type ServiceDefinition,
  startService,
} from '../src/index.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const recorded = `00-${TRACE}-00f067aa0ba902b7-01`;
const notRecorded = `00-${TRACE}-00f067aa0ba902b7-00`;

let nats: TestNats;
let caller: Bus;
let receiver: TraceReceiver;
let service: RunningService;
let healthUrl: string;
let database: string;

/** Writes the requested job in a transaction, reads it, and publishes an event. Fails for job 13. */
const writer: ServiceDefinition<object> = {
  name: 'shortlink',
  description: 'for tests',
  config: {},
  mongo: true,
  create: ({ mongo, bus, log, metrics }) => {
    const things = mongo.model('Thing', new Schema({ jobId: Number }, { collection: 'things' }));
    metrics.gauge({ name: 'things_waiting', help: 'for tests' }, () => 7);
    metrics.gauge({ name: 'things_unknown', help: 'for tests' }, () => Promise.reject(new Error('away')));
    let consuming: Consuming | undefined;
    return {
      started: async () => {
        consuming = bus.consume(transitionDue, {
          durable: 'shortlink',
          batch: 1,
          handle: async () => void (await things.countDocuments()),
          onError: () => undefined,
        });
      },
      stop: async () => consuming?.stop(),
      start: async () => {
        await mongo.createCollection('things');
        await bus.ensureStream(schedulerStream);
      },
      endpoints: [
        endpoint(
          createLink,
          async ({ body, context }) => {
            if (body.jobId === 13) throw unavailable('database_away');
            await inTransaction(mongo, context.deadline, (session) =>
              things.insertMany([{ jobId: body.jobId }], { session }),
            );
            await things.find({ jobId: body.jobId }).lean();
            await bus.publishEvent(transitionDue, { instant: 'now' }, `${Date.now()}`);
            return { data: { url: 'u', final: true } };
          },
          log,
        ),
      ],
    };
  },
};

async function start(more: Record<string, string> = {}): Promise<void> {
  database = `${databasePrefix()}telemetry`;
  const port = await freePort();
  healthUrl = `http://127.0.0.1:${port}`;
  service = await startService(writer, {
    env: {
      NATS_URL: nats.url,
      MONGODB_URI: testMongoUri(),
      MONGODB_DATABASE: database,
      LOG_LEVEL: 'silent',
      HEALTH_PORT: String(port),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER_ARG: '0',
      ...more,
    },
  });
}

const request = (jobId: number, traceparent: string) =>
  caller.request(createLink, {
    body: { jobId },
    context: { requestId: 'r-1', deadline: Date.now() + 5000, traceparent },
  });

const metricsText = async () => (await fetch(`${healthUrl}/metrics`)).text();

beforeAll(async () => {
  nats = await startNats();
  caller = await connectBus({ url: nats.url, name: 'test' });
});
afterAll(async () => {
  await caller.close();
  await nats.stop();
});
beforeEach(async () => {
  receiver = await startTraceReceiver();
});
afterEach(async () => {
  await service.stop();
  await receiver.stop();
});

describe('a trace', () => {
  it('leads from the bus to the database and to consumers of events, with one trace id', async () => {
    await start();
    await request(1, recorded);
    const isThere = (wanted: string) => receiver.spans().some(({ kind }) => kind === wanted);
    await waitFor(() => isThere('server') && isThere('consumer'), { what: 'the spans' });
    expect(traceAsText(receiver.spans())).toBe(
      [
        'shortlink: server shortlink.v1.create',
        '  shortlink: client insertMany things',
        '  shortlink: client find things',
        '  shortlink: producer scheduler.v1.event.transition-due',
        '    shortlink: consumer scheduler.v1.event.transition-due',
        '      shortlink: client countDocuments things',
      ].join('\n'),
    );
    expect(new Set(receiver.spans().map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    const ofDatabase = receiver.spans().filter(({ kind }) => kind === 'client');
    for (const { attributes } of ofDatabase)
      expect(attributes).toMatchObject({ 'db.system.name': 'mongodb', 'db.namespace': database });
    const served = receiver.spans().find(({ kind }) => kind === 'server');
    expect(served).toMatchObject({
      parentId: '00f067aa0ba902b7',
      attributes: { outcome: 'ok' },
      failed: false,
    });
  });

  it('is not recorded where the caller does not record it', async () => {
    await start();
    await request(1, notRecorded);
    await request(2, recorded);
    await waitFor(() => receiver.spans().some(({ kind }) => kind === 'server'), { what: 'the spans' });
    expect(receiver.spans().filter(({ kind }) => kind === 'server')).toHaveLength(1);
  });

  it('says what failed, and nothing of the data', async () => {
    await start();
    await expect(request(13, recorded)).rejects.toMatchObject({ code: 'unavailable' });
    const served = () => receiver.spans().filter(({ kind }) => kind === 'server');
    await waitFor(() => served().length > 0, { what: 'the span' });
    expect(served()).toMatchObject([
      { failed: true, attributes: { outcome: 'unavailable', 'error.type': 'unavailable' } },
    ]);
  });

  it('is dropped and counted while the receiver is away; requests go on', async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: away });
    for (let job = 20; job < 40; job++) await request(job, recorded);
    await waitFor(async () => /trace_spans_exported_total\{result="lost"\} \d/.test(await metricsText()), {
      limitMs: 25_000,
      what: 'the loss to be counted',
    });
  }, 60_000);
});

describe('/metrics', () => {
  it('has rate, errors and duration of each operation, its refusals by reason, and gauges', async () => {
    await start();
    for (const job of [1, 2, 3]) await request(job, notRecorded);
    await request(13, notRecorded).catch(() => undefined);
    const consumed = `bus_events_consumed_total{event="${transitionDue.subject}",result="done"} 3`;
    await waitFor(async () => (await metricsText()).includes(consumed), { what: 'three events consumed' });
    const answer = await fetch(`${healthUrl}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = (await answer.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'bus_server_requests_total{operation="shortlink.v1.create",outcome="ok"} 3',
        'bus_server_requests_total{operation="shortlink.v1.create",outcome="unavailable"} 1',
        'bus_server_refusals_total{operation="shortlink.v1.create",reason="database_away"} 1',
        'bus_server_request_duration_seconds_count{operation="shortlink.v1.create"} 4',
        'bus_server_requests_in_flight 0',
        'bus_events_published_total{event="scheduler.v1.event.transition-due",result="stored"} 3',
        'bus_connected 1',
        'mongodb_pool_connections{state="in_use"} 0',
        'mongodb_pool_size_limit 50',
        'mongodb_pool_waiting 0',
        'things_waiting 7',
        `service_info{version="${productVersion}"} 1`,
      ]),
    );
    for (const name of ['nodejs_eventloop_utilization_ratio', 'nodejs_eventloop_lag_p99_seconds']) {
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${name} [0-9.e-]+$`)));
    }
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^bus_consumer_events\{stream="SCHEDULER",consumer="shortlink",state="pending"\} \d+$/,
      ),
    );
    expect(lines).not.toContainEqual(expect.stringMatching(/^things_unknown /));
  });
});
