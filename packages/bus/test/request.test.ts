import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { connect, headers } from 'nats';
import type { Bus, RawHandler, RawReply, RawRequest, Served, ServeOptions } from '../src/index.ts';
import {
  contextOf,
  endpointsWith,
  refusing,
  reply,
  type RunningBus,
  runBus,
  serveOptions,
  withBody,
  withParams,
} from './running-bus.ts';

let running: RunningBus;
let caller: Bus;
let server: Bus;
let served: Served | undefined;

beforeAll(async () => {
  running = await runBus();
  caller = await running.connect();
  server = await running.connect();
});
afterAll(() => running.stop());
afterEach(async () => {
  await served?.stop();
  served = undefined;
});

const serve = async (handle: RawHandler, options: Partial<ServeOptions> = {}) => {
  served = await server.serve(endpointsWith(handle), { ...serveOptions, ...options });
};
const request = (limitMs?: number, bus = caller) =>
  bus.request(withBody, { body: { jobId: 1 }, context: contextOf(limitMs) });

describe('request › reply', () => {
  it('has data and meta data; the request had context and parameters', async () => {
    const requests: RawRequest[] = [];
    await serve((received) => {
      requests.push(received);
      return Promise.resolve({
        ...reply({ location: 'https://example.com/é' }),
        outcome: 'created',
        version: 3,
        id: 7,
        warnings: [{ code: 'unknown_field', detail: 'größer\r\nX: 1 \u{1F600}', pointer: '#/a' }],
        paging: { total: 1, pageSize: 50, page: 1, pages: 1 },
      });
    });
    const context = {
      ...contextOf(),
      principal: { consumerId: 1, scopes: ['jobs:read' as const], userId: 2, companyIds: [3] },
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      idempotencyKey: 'a key',
    };
    const params = { code: 'a\r\nb é \u{1F600} "' };
    const answer = await caller.request(withParams, { params, context });
    expect(requests).toEqual([{ ...context, params, body: new Uint8Array() }]);
    expect(answer).toMatchObject({
      data: { location: 'https://example.com/é' },
      outcome: 'created',
      version: 3,
      id: 7,
      warnings: [{ code: 'unknown_field', detail: 'größer\r\nX: 1 \u{1F600}', pointer: '#/a' }],
      paging: { total: 1, pageSize: 50, page: 1, pages: 1 },
    });
  });

  it('comes to a principal with 50,000 companies, with 500 kB of warnings', async () => {
    const companyIds = Array.from({ length: 50_000 }, (_, index) => index);
    const warnings = Array.from({ length: 50 }, () => ({
      code: 'unknown_field' as const,
      detail: 'x'.repeat(10_000),
    }));
    await serve(({ principal }) => Promise.resolve({ ...reply(principal?.companyIds.length), warnings }));
    const principal = { consumerId: 1, scopes: [], userId: 2, companyIds };
    const answer = await caller.request(withBody, { context: { ...contextOf(), principal } });
    expect(answer).toMatchObject({ data: 50_000, warnings });
  });

  it('has the bytes that were sent, whatever they are', async () => {
    await serve(({ body }) => Promise.resolve({ outcome: 'ok', data: body }));
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const { data } = await caller.forward(withBody, {}, bytes, contextOf());
    expect(Buffer.from(data).equals(bytes)).toBe(true);
  });

  it('belongs to its own request, with 80 of them under way', async () => {
    await serve(async ({ body }) => {
      await new Promise(setImmediate);
      return { outcome: 'ok', data: body };
    });
    const numbers = Array.from({ length: 80 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((jobId) => caller.request(withBody, { body: { jobId }, context: contextOf() })),
    );
    expect(answers.map(({ data }) => data)).toEqual(numbers.map((jobId) => ({ jobId })));
  });

  it.each([
    ['is not JSON', 'Envelope', '{'],
    ['is from another kind of server', 'Nats-Service-Error-Code', '500'],
  ])('that %s rejects, and the next request works', async (_what, header, value) => {
    const stranger = await connect({ servers: running.nats.url });
    stranger.subscribe(withBody.subject, {
      callback: (_error, message) => {
        const sent = headers();
        sent.set(header, value);
        message.respond(message.data, { headers: sent });
      },
    });
    await stranger.flush();
    await expect(request(60_000)).rejects.toThrow(SyntaxError);
    await stranger.close();
    await serve(() => Promise.resolve(reply({})));
    await expect(request()).resolves.toMatchObject({ outcome: 'ok' });
    expect(caller.isConnected()).toBe(true);
  });
});

describe('request › refusal', () => {
  it('carries code, detail, errors, conflict, reason and Retry-After, but no cause', async () => {
    const refusal = new ServiceError('validation_failed', 'Zwei Fehler.', {
      errors: [{ pointer: '#/a', code: 'required', detail: 'a is required.' }],
      conflict: { resource: 'job', id: 5 },
      retryAfterSeconds: 2,
      reason: 'contention',
      cause: new Error('secret'),
    });
    await serve(refusing(refusal));
    const error: unknown = await request().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'validation_failed',
      message: 'Zwei Fehler.',
      errors: refusal.errors,
      conflict: { resource: 'job', id: 5 },
      retryAfterSeconds: 2,
      reason: 'contention',
    });
    expect(error).not.toHaveProperty('cause');
  });

  it('is `internal` for an unexpected error, which only the service learns', async () => {
    const errors: unknown[] = [];
    await serve(refusing(new Error('secret')), { onError: (error) => errors.push(error) });
    const error: unknown = await request().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'internal' });
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(errors).toMatchObject([{ message: 'secret' }]);
  });

  it('is `no_responder` long before the deadline where nobody serves the operation', async () => {
    await expect(request(60_000)).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'no_responder',
      retryAfterSeconds: 1,
    });
  });

  it('is `body_too_large` where the server takes no message of this size', async () => {
    await serve(() => Promise.resolve(reply({})));
    const tooLarge = caller.forward(withBody, {}, new Uint8Array(9 * 1024 ** 2), contextOf());
    await expect(tooLarge).rejects.toMatchObject({ code: 'body_too_large' });
    await expect(request()).resolves.toMatchObject({ outcome: 'ok' });
  });

  it('is `bus_backlog` for one request more than may wait for a reply', async () => {
    const few = await running.connect({ maxPending: 2 });
    const held = Promise.withResolvers<void>();
    await serve(() => held.promise.then(() => reply({})));
    const waiting = [request(5000, few), request(5000, few)];
    await expect(request(5000, few)).rejects.toMatchObject({
      code: 'overloaded',
      reason: 'bus_backlog',
      retryAfterSeconds: 1,
    });
    held.resolve();
    await Promise.all(waiting);
    await expect(request(5000, few)).resolves.toMatchObject({ outcome: 'ok' });
  });
});

describe('request › deadline', () => {
  const lateError = { code: 'deadline_exceeded', reason: 'deadline' };

  it('rejects when it comes before the reply', async () => {
    await serve(() => new Promise((resolve) => setTimeout(() => resolve(reply({})), 300)));
    await expect(request(50)).rejects.toMatchObject(lateError);
  });

  it('rejects in time while a request with a later deadline waits', async () => {
    const held = Promise.withResolvers<RawReply>();
    await serve(() => held.promise);
    const later = request(1000).catch(() => 'later');
    for (let time = 0; time < 2; time++) {
      const first = await Promise.race([request(50).catch(() => 'sooner'), later]);
      expect(first).toBe('sooner');
    }
    expect(await later).toBe('later');
    held.resolve(reply({}));
  });

  it('that has passed rejects at once, and nothing is sent', async () => {
    const requests: RawRequest[] = [];
    await serve((received) => {
      requests.push(received);
      return Promise.resolve(reply({}));
    });
    await expect(request(0)).rejects.toMatchObject(lateError);
    await request();
    expect(requests).toHaveLength(1);
  });
});
