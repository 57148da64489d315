import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { boundBuffers } from './buffers.ts';

/** As much of a response as the buffers look at. */
const client = () => {
  const events = new EventEmitter();
  let isCut = false;
  const destroy = () => {
    isCut = true;
    events.emit('close');
  };
  return {
    response: Object.assign(events, { req: { socket: { destroy } } }) as unknown as ServerResponse,
    leave: () => events.emit('close'),
    isCut: () => isCut,
  };
};

const bounded = (limit: number) => {
  let now = 0;
  const buffers = boundBuffers(limit, () => now);
  return { ...buffers, pass: (ms: number) => (now += ms) };
};

describe('boundBuffers', () => {
  it('is full past its limit, and no more once enough clients are gone', () => {
    const buffers = bounded(10);
    const [one, other] = [client(), client()];
    buffers.awaitClient(one.response, 6);
    expect(buffers.areFull()).toBe(false);
    buffers.work(other.response, 6);
    expect(buffers.areFull()).toBe(true);
    one.leave();
    expect(buffers.areFull()).toBe(false);
  });

  it('counts what a client costs now, not all that it has ever cost', () => {
    const buffers = bounded(10);
    const { response } = client();
    for (const bytes of [8, 9, 10, 4]) buffers.awaitClient(response, bytes);
    expect(buffers.areFull()).toBe(false);
  });

  it('cuts off who has kept it waiting longest, and no more than that takes', () => {
    const buffers = bounded(10);
    const [oldest, old, fresh] = [client(), client(), client()];
    buffers.awaitClient(oldest.response, 5);
    buffers.pass(1);
    buffers.awaitClient(old.response, 5);
    buffers.pass(2000);
    buffers.awaitClient(fresh.response, 5);
    expect([oldest, old, fresh].map(({ isCut }) => isCut())).toEqual([true, false, false]);
    expect(buffers.areFull()).toBe(false);
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
    expect(buffers.areFull()).toBe(true);
  });
});
