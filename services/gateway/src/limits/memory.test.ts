import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { memoryLimiter, type MemoryLimiter } from './memory.ts';

const LARGE = 1_000_000;

const connection = () => {
  const events = new EventEmitter();
  let isCut = false;
  return { events, isCut: () => isCut, destroy: () => void (isCut = true) };
};

/** As much of a response as the memory look at. */
const client = (socket = connection()) => {
  const events = new EventEmitter();
  const response = Object.assign(events, { req: { socket }, closed: false, destroyed: false });
  return {
    response: response as unknown as ServerResponse,
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
  return { ...memory, pass: (ms: number) => (now += ms) };
};

describe('memoryLimiter', () => {
  it('refuses large requests past half of its limit, and all past the limit', () => {
    const memory = bounded(10);
    const [one, other] = [client(), client()];
    const room = () => [memory.hasRoomFor(0), memory.hasRoomFor(LARGE)];
    memory.holdForWork(one.response, 5);
    expect(room()).toEqual([true, true]);
    memory.holdForWork(other.response, 1);
    expect(room()).toEqual([true, false]);
    memory.holdForWork(other.response, 6);
    expect(room()).toEqual([false, false]);
    one.leave();
    expect(room()).toEqual([true, false]);
  });

  it.each([
    ['now, not all that it has ever cost', [8, 9, 10, 4]],
    ['nothing once it is through', [8, 0]],
  ])('counts what a client costs %s', (_what, costs) => {
    const memory = bounded(10);
    const { response } = client();
    for (const bytes of costs) memory.holdForWork(response, bytes);
    expect(memory.hasRoomFor(LARGE)).toBe(true);
  });

  it('does not count what is kept for a client that has left', () => {
    const memory = bounded(10);
    const gone = client();
    gone.leave();
    memory.holdForClient(gone.response, 20);
    expect(memory.hasRoomFor(LARGE)).toBe(true);
  });

  it('cuts off the clients that keep it waiting longest, and no more than needed', () => {
    const memory = bounded(20);
    const [oldest, old, fresh] = [client(), client(), client()];
    memory.holdForClient(oldest.response, 5);
    memory.pass(1);
    memory.holdForClient(old.response, 5);
    memory.pass(2000);
    memory.holdForClient(fresh.response, 5);
    expect([oldest, old, fresh].map(({ isCut }) => isCut())).toEqual([true, false, false]);
    expect(memory.hasRoomFor(LARGE)).toBe(true);
  });

  it.each([
    ['is waited for shortly', (memory: ReturnType<typeof bounded>) => memory.pass(900)],
    ['is worked for', () => undefined],
  ])('does not cut off who %s', (what, pass) => {
    const memory = bounded(10);
    const [busy, fresh] = [client(), client()];
    if (what === 'is worked for') memory.holdForWork(busy.response, 8);
    else memory.holdForClient(busy.response, 8);
    pass(memory);
    memory.holdForClient(fresh.response, 5);
    expect(busy.isCut()).toBe(false);
    expect(memory.hasRoomFor(0)).toBe(false);
  });

  it('cuts off a connection that piles up answers, but not for one that is large', () => {
    const memory = bounded(80);
    const socket = connection();
    memory.holdForClient(client(socket).response, 11);
    expect(socket.isCut()).toBe(false);
    memory.holdForClient(client(socket).response, 1);
    expect(socket.isCut()).toBe(true);
  });

  it.each([
    ['have been read', ({ leave }: ReturnType<typeof client>) => leave()],
    [
      'are through',
      ({ response }: ReturnType<typeof client>, memory: MemoryLimiter) => memory.holdForWork(response, 0),
    ],
    [
      'have left in any order',
      ({ response, leave }: ReturnType<typeof client>, memory: MemoryLimiter) => {
        memory.holdForWork(response, 0);
        leave();
      },
    ],
  ])('does not count answers to a connection that %s', (_what, end) => {
    const memory = bounded(80);
    const socket = connection();
    const answer = (bytes: number) => {
      const one = client(socket);
      memory.holdForClient(one.response, bytes);
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
