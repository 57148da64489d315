import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus, type RawRequest } from '@joblisting/bus';
import { recordEvents } from '@joblisting/contracts';
import { metricsBatch, metricsReceipt } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { metricsKey } from './support/stand-ins.ts';

let gateway: TestGateway;
let bus: Bus;
let seen: Pick<RawRequest, 'params' | 'body'> | undefined;

// The service parses the lines itself, so the test looks at bytes.
beforeAll(async () => {
  gateway = await startGateway();
  bus = await connectBus({ url: gateway.nats.url, name: 'metrics' });
  const handle = async ({ params, body }: RawRequest) => {
    seen = { params, body };
    return { outcome: 'ok', data: Buffer.from(JSON.stringify(metricsReceipt)) } as const;
  };
  await bus.serve([{ operation: recordEvents, handle }], {
    name: 'metrics',
    version: '1.0.0',
    description: 'A stand-in.',
    maxInFlight: 10,
    onError: () => undefined,
  });
});
afterAll(async () => {
  await gateway.stop();
  await bus.close();
});

const send = (type: string, body: string) =>
  ask(`${gateway.base}/metrics/events`, {
    method: 'POST',
    headers: { 'Consumer-API-Key': metricsKey, 'Content-Type': type },
    body,
  });

describe('POST /metrics/events', () => {
  const json = JSON.stringify(metricsBatch);
  const lines = metricsBatch.events.map((event) => `${JSON.stringify(event)}\n`).join('');

  it.each([
    ['application/json', 'json', json],
    ['application/json; charset=utf-8', 'json', json],
    ['application/x-ndjson', 'ndjson', lines],
    ['application/x-ndjson; charset=utf-8', 'ndjson', lines],
  ])('passes %s on as %s', async (type, format, body) => {
    const answer = await send(type, body);
    expect([answer.status, answer.body]).toEqual([200, { data: metricsReceipt, warnings: [] }]);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect([seen?.params, Buffer.from(seen?.body ?? []).toString()]).toEqual([{ format }, body]);
  });

  it.each(['text/plain', 'application/ndjson', 'application/x-ndjson; charset=latin1'])(
    '415 for %s',
    async (type) => {
      const answer = await send(type, lines);
      expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
    },
  );
});
