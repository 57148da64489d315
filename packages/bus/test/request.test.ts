import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { connect, MsgHdrsImpl } from 'nats';
import { HeaderLines, headerOf } from '../src/header-lines.ts';
import type { Bus, RawHandler, RawReply, RawRequest, Served, ServeOptions } from '../src/index.ts';
import { createRequester } from '../src/requester.ts';
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
const ask = (limitMs?: number) =>
  caller.request(withBody, { body: { jobId: 1 }, context: contextOf(limitMs) });

describe('a request', () => {
  it('and its reply are read without the objects that the client makes of headers', async () => {
    await serve(() => Promise.resolve(reply({ location: 'https://example.com' })));
    const decode = jest.spyOn(MsgHdrsImpl, 'decode');
    await ask();
    expect(decode).not.toHaveBeenCalled();
    decode.mockRestore();
  });

  it('carries context, parameters and body, and brings back data and meta data', async () => {
    const requests: RawRequest[] = [];
    await serve((request) => {
      requests.push(request);
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

  it('passes bytes through unread, both ways', async () => {
    await serve(({ body }) => Promise.resolve({ outcome: 'ok', data: body }));
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const { data } = await caller.forward(withBody, {}, bytes, contextOf());
    expect(Buffer.from(data).equals(bytes)).toBe(true);
  });

  it('matches many replies to their requests', async () => {
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

  it('carries a refusal with all that it says', async () => {
    const refusal = new ServiceError('validation_failed', 'Zwei Fehler.', {
      errors: [{ pointer: '#/a', code: 'required', detail: 'a is required.' }],
      conflict: { resource: 'job', id: 5 },
      retryAfterSeconds: 2,
      cause: new Error('secret'),
    });
    await serve(refusing(refusal));
    const error: unknown = await ask().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'validation_failed',
      message: 'Zwei Fehler.',
      errors: refusal.errors,
      conflict: { resource: 'job', id: 5 },
      retryAfterSeconds: 2,
    });
    expect(error).not.toHaveProperty('cause');
  });

  it('tells the caller nothing of an error that is no refusal, and the service all', async () => {
    const heard: unknown[] = [];
    await serve(refusing(new Error('secret')), { onError: (error) => heard.push(error) });
    const error: unknown = await ask().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'internal' });
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(heard).toMatchObject([{ message: 'secret' }]);
  });

  it('is unavailable long before its deadline where nobody serves the operation', async () => {
    await expect(ask(3_600_000)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  });

  it('ends at its deadline where nobody answers', async () => {
    await serve(() => new Promise((resolve) => setTimeout(() => resolve(reply({})), 300)));
    await expect(ask(50)).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  it('ends at its deadline while one with a later deadline waits, and the one after it too', async () => {
    const held = Promise.withResolvers<RawReply>();
    await serve(() => held.promise);
    const later = Promise.withResolvers<string>();
    ask(1000).catch(({ code }: ServiceError) => later.resolve(code));
    for (let time = 0; time < 2; time++) {
      const first = await Promise.race([ask(50).catch(({ code }: ServiceError) => [code]), later.promise]);
      expect(first).toEqual(['deadline_exceeded']);
    }
    expect(await later.promise).toBe('deadline_exceeded');
    held.resolve(reply({}));
  });

  it('is not sent past its deadline', async () => {
    const requests: RawRequest[] = [];
    await serve((request) => {
      requests.push(request);
      return Promise.resolve(reply({}));
    });
    await expect(ask(0)).rejects.toMatchObject({ code: 'deadline_exceeded' });
    await ask();
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['no JSON in it', headerOf('Reply').line('{'), 'JSON'],
    [
      'only what another kind of server says',
      headerOf('Nats-Service-Error-Code').line('500'),
      'without the header Reply',
    ],
  ])('ends at once where the reply has %s, and the next one works', async (_what, said, problem) => {
    const stranger = await connect({ servers: running.nats.url });
    stranger.subscribe(withBody.subject, {
      callback: (_error, message) => {
        message.respond(message.data, { headers: new HeaderLines(said) });
      },
    });
    await stranger.flush();
    await expect(ask(3_600_000)).rejects.toThrow(problem);
    await stranger.close();
    await serve(() => Promise.resolve(reply({})));
    await expect(ask()).resolves.toMatchObject({ outcome: 'ok' });
    expect(caller.isConnected()).toBe(true);
  });

  it('is not sent any more where it was given up in the turn in which it was asked', async () => {
    const requests: RawRequest[] = [];
    await serve((request) => {
      requests.push(request);
      return Promise.resolve(reply({}));
    });
    const connection = await connect({ servers: running.nats.url });
    const inboxPrefix = '_INBOX_test';
    const requester = createRequester(connection, { maxPending: 10, inboxPrefix, isConnected: () => true });
    const body = new TextEncoder().encode('{"jobId":1}');
    const given = requester.forward(withBody, {}, body, contextOf());
    const outcome = expect(given).rejects.toMatchObject({ code: 'deadline_exceeded' });
    requester.giveUp();
    await outcome;
    await requester.sent();
    await connection.flush();
    await ask();
    expect(requests).toHaveLength(1);
    await connection.close();
  });

  it('is refused here where it is larger than the server takes', async () => {
    await serve(() => Promise.resolve(reply({})));
    const tooLarge = caller.forward(withBody, {}, new Uint8Array(9 * 1024 ** 2), contextOf());
    await expect(tooLarge).rejects.toMatchObject({ code: 'body_too_large' });
    await expect(ask()).resolves.toMatchObject({ outcome: 'ok' });
  });
});

describe('a bounded number of requests', () => {
  it('waits for replies; one more is refused at once', async () => {
    const few = await running.connect({ maxPending: 2 });
    const held = Promise.withResolvers<void>();
    await serve(() => held.promise.then(() => reply({})));
    const call = () => few.request(withBody, { body: { jobId: 1 }, context: contextOf() });
    const waiting = [call(), call()];
    await expect(call()).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    held.resolve();
    await Promise.all(waiting);
    await expect(call()).resolves.toMatchObject({ outcome: 'ok' });
  });

  it('is handled at a time; one more is refused at once', async () => {
    const held = Promise.withResolvers<void>();
    await serve(() => held.promise.then(() => reply({})), { maxInFlight: 2 });
    const outcomes = [ask(), ask(), ask(), ask()].map((call) =>
      call.then(
        () => 'ok',
        (error: unknown) => (error as ServiceError).code,
      ),
    );
    await expect(outcomes[3]).resolves.toBe('overloaded');
    held.resolve();
    expect(await Promise.all(outcomes)).toEqual(['ok', 'ok', 'overloaded', 'overloaded']);
  });
});
