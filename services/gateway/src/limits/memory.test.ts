import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { ServiceError } from '@joblisting/contracts';
import { memoryLimiter, type MemoryLimiter } from './memory.ts';

const LARGE = 1_000_000;

const connection = () => {
  const events = new EventEmitter();
  let isCut = false;
  return { events, isCut: () => isCut, destroy: () => void (isCut = true) };
};

let clients = 0;

/** As much of a response as the memory looks at. */
const client = (socket = connection(), id = ++clients) => {
  const events = new EventEmitter();
  const response = Object.assign(events, { req: { socket }, closed: false, destroyed: false });
  return {
    holder: { response: response as unknown as ServerResponse, client: id },
    leave: () => {
      response.closed = true;
      events.emit('close');
    },
    isCut: socket.isCut,
  };
};

const bounded = (limit: number) => {
  let now = 0;
  const memory = memoryLimiter(limit, () => now);
  const refusalOf = (id: number, bytes: number): string | undefined => {
    try {
      memory.requireRoomFor(id, bytes);
      return undefined;
    } catch (error) {
      return (error as ServiceError).code;
    }
  };
  return { ...memory, refusalOf, pass: (ms: number) => (now += ms) };
};

describe('memoryLimiter', () => {
  it('refuses large requests past three quarters of its limit, and all past the limit', () => {
    const memory = bounded(16);
    const [one, other] = [client(), client()];
    const nobody = 0;
    const refusals = () => [memory.refusalOf(nobody, 0), memory.refusalOf(nobody, LARGE)];
    memory.holdForWork(one.holder, 12);
    expect(refusals()).toEqual([undefined, undefined]);
    memory.holdForWork(other.holder, 1);
    expect(refusals()).toEqual([undefined, 'overloaded']);
    memory.holdForWork(other.holder, 5);
    expect(refusals()).toEqual(['overloaded', 'overloaded']);
    one.leave();
    expect(refusals()).toEqual([undefined, undefined]);
  });

  it('refuses large requests of a client that holds more than a quarter of its limit', () => {
    const memory = bounded(16);
    const [one, again] = [client(connection(), 1), client(connection(), 1)];
    memory.holdForWork(one.holder, 3);
    memory.holdForClient(again.holder, 1);
    expect(memory.refusalOf(1, LARGE)).toBeUndefined();
    memory.holdForClient(again.holder, 2);
    expect([memory.refusalOf(1, LARGE), memory.refusalOf(1, 0), memory.refusalOf(2, LARGE)]).toEqual([
      'consumer_concurrency',
      undefined,
      undefined,
    ]);
    one.leave();
    expect(memory.refusalOf(1, LARGE)).toBeUndefined();
  });

  it('past half of its limit, refuses small requests of a client that holds more than a quarter', () => {
    const memory = bounded(16);
    memory.holdForClient(client(connection(), 1).holder, 5);
    memory.holdForClient(client(connection(), 2).holder, 3);
    expect(memory.refusalOf(1, 0)).toBeUndefined();
    memory.holdForClient(client(connection(), 2).holder, 1);
    expect([memory.refusalOf(1, 0), memory.refusalOf(2, 0)]).toEqual(['consumer_concurrency', undefined]);
  });

  it.each([
    ['now, not all that it has ever cost', [8, 9, 10, 4]],
    ['nothing once it is through', [8, 0]],
  ])('counts what a client costs %s', (_what, costs) => {
    const memory = bounded(10);
    const { holder } = client();
    for (const bytes of costs) memory.holdForWork(holder, bytes);
    expect(memory.refusalOf(0, LARGE)).toBeUndefined();
  });

  it('does not count what is kept for a client that has left', () => {
    const memory = bounded(10);
    const closed = client();
    closed.leave();
    memory.holdForClient(closed.holder, 20);
    expect(memory.refusalOf(0, LARGE)).toBeUndefined();
  });

  it('cuts off the clients that keep it waiting longest, and no more than needed', () => {
    const memory = bounded(20);
    const [oldest, old, fresh] = [client(), client(), client()];
    memory.holdForClient(oldest.holder, 5);
    memory.pass(1);
    memory.holdForClient(old.holder, 5);
    memory.pass(2000);
    memory.holdForClient(fresh.holder, 5);
    expect([oldest, old, fresh].map(({ isCut }) => isCut())).toEqual([true, false, false]);
    expect(memory.refusalOf(0, LARGE)).toBeUndefined();
  });

  it('cuts off first those of a client that holds more than a quarter of its limit', () => {
    const memory = bounded(20);
    const [oldest, first, second] = [client(), client(connection(), 7), client(connection(), 7)];
    memory.holdForClient(oldest.holder, 3);
    memory.pass(1);
    memory.holdForClient(first.holder, 3);
    memory.holdForClient(second.holder, 3);
    memory.pass(2000);
    memory.holdForClient(client().holder, 2);
    expect([oldest, first, second].map(({ isCut }) => isCut())).toEqual([false, true, false]);
  });

  it.each([
    ['is waited for shortly', (memory: ReturnType<typeof bounded>) => memory.pass(900)],
    ['is worked for', () => undefined],
  ])('does not cut off who %s', (what, pass) => {
    const memory = bounded(10);
    const [busy, fresh] = [client(), client()];
    if (what === 'is worked for') memory.holdForWork(busy.holder, 8);
    else memory.holdForClient(busy.holder, 8);
    pass(memory);
    memory.holdForClient(fresh.holder, 5);
    expect(busy.isCut()).toBe(false);
    expect(memory.refusalOf(0, 0)).toBe('overloaded');
  });

  it('cuts off a connection that piles up answers, but not for one that is large', () => {
    const memory = bounded(80);
    const socket = connection();
    memory.holdForClient(client(socket).holder, 11);
    expect(socket.isCut()).toBe(false);
    memory.holdForClient(client(socket).holder, 1);
    expect(socket.isCut()).toBe(true);
  });

  it.each([
    ['have been read', ({ leave }: ReturnType<typeof client>) => leave()],
    [
      'are through',
      ({ holder }: ReturnType<typeof client>, memory: MemoryLimiter) => memory.holdForWork(holder, 0),
    ],
    [
      'have left in any order',
      ({ holder, leave }: ReturnType<typeof client>, memory: MemoryLimiter) => {
        memory.holdForWork(holder, 0);
        leave();
      },
    ],
  ])('does not count answers to a connection that %s', (_what, end) => {
    const memory = bounded(80);
    const socket = connection();
    const answer = (bytes: number) => {
      const one = client(socket);
      memory.holdForClient(one.holder, bytes);
      return () => end(one, memory);
    };
    for (let time = 0; time < 3; time++) answer(6)();
    for (const endOne of [answer(6), answer(4)]) endOne();
    const endLast = answer(11);
    expect(socket.isCut()).toBe(false);
    endLast();
    answer(10);
    expect(socket.isCut()).toBe(false);
    answer(1);
    expect(socket.isCut()).toBe(true);
  });
});
