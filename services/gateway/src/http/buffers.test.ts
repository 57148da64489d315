import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { boundBuffers, type Buffers } from './buffers.ts';

const LARGE = 1_000_000;

const connection = () => {
  const events = new EventEmitter();
  let isCut = false;
  return { events, isCut: () => isCut, destroy: () => void (isCut = true) };
};

/** As much of a response as the buffers look at. */
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
  const buffers = boundBuffers(limit, () => now);
  return { ...buffers, pass: (ms: number) => (now += ms) };
};

describe('boundBuffers', () => {
  it('has no room for large requests from half of its limit on, and for none past it', () => {
    const buffers = bounded(10);
    const [one, other] = [client(), client()];
    const room = () => [buffers.haveRoomFor(0), buffers.haveRoomFor(LARGE)];
    buffers.work(one.response, 5);
    expect(room()).toEqual([true, true]);
    buffers.work(other.response, 1);
    expect(room()).toEqual([true, false]);
    buffers.work(other.response, 6);
    expect(room()).toEqual([false, false]);
    one.leave();
    expect(room()).toEqual([true, false]);
  });

  it.each([
    ['now, not all that it has ever cost', [8, 9, 10, 4]],
    ['nothing once it is through', [8, 0]],
  ])('counts what a client costs %s', (_what, costs) => {
    const buffers = bounded(10);
    const { response } = client();
    for (const bytes of costs) buffers.work(response, bytes);
    expect(buffers.haveRoomFor(LARGE)).toBe(true);
  });

  it('does not count what is kept for a client that has left', () => {
    const buffers = bounded(10);
    const gone = client();
    gone.leave();
    buffers.awaitClient(gone.response, 20);
    expect(buffers.haveRoomFor(LARGE)).toBe(true);
  });

  it('cuts off who has kept it waiting longest, and no more than that takes', () => {
    const buffers = bounded(20);
    const [oldest, old, fresh] = [client(), client(), client()];
    buffers.awaitClient(oldest.response, 5);
    buffers.pass(1);
    buffers.awaitClient(old.response, 5);
    buffers.pass(2000);
    buffers.awaitClient(fresh.response, 5);
    expect([oldest, old, fresh].map(({ isCut }) => isCut())).toEqual([true, false, false]);
    expect(buffers.haveRoomFor(LARGE)).toBe(true);
  });

  it.each([
    ['is waited for shortly', (buffers: ReturnType<typeof bounded>) => buffers.pass(900)],
    ['is worked for', () => undefined],
  ])('does not cut off who %s', (what, pass) => {
    const buffers = bounded(10);
    const [busy, fresh] = [client(), client()];
    if (what === 'is worked for') buffers.work(busy.response, 8);
    else buffers.awaitClient(busy.response, 8);
    pass(buffers);
    buffers.awaitClient(fresh.response, 5);
    expect(busy.isCut()).toBe(false);
    expect(buffers.haveRoomFor(0)).toBe(false);
  });

  it('cuts off a connection that piles up answers, but not for one that is large', () => {
    const buffers = bounded(80);
    const socket = connection();
    buffers.awaitClient(client(socket).response, 11);
    expect(socket.isCut()).toBe(false);
    buffers.awaitClient(client(socket).response, 1);
    expect(socket.isCut()).toBe(true);
  });

  it.each([
    ['have been read', ({ leave }: ReturnType<typeof client>) => leave()],
    ['are through', ({ response }: ReturnType<typeof client>, buffers: Buffers) => buffers.work(response, 0)],
    [
      'have left in any order',
      ({ response, leave }: ReturnType<typeof client>, buffers: Buffers) => {
        buffers.work(response, 0);
        leave();
      },
    ],
  ])('does not count answers to a connection that %s', (_what, end) => {
    const buffers = bounded(80);
    const socket = connection();
    const answer = (bytes: number) => {
      const one = client(socket);
      buffers.awaitClient(one.response, bytes);
      return () => end(one, buffers);
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
