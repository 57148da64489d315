import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { client, type Running, runCategories } from './running-categories.ts';

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runCategories();
  api = client(running);
});
afterAll(() => running.stop());

const none = { counted: 0, written: 0 };
const one = { counted: 1, written: 1 };

describe('releaseCategories', () => {
  it('drops all but what is kept', async () => {
    const [dropped, kept] = [await api.create(), await api.create()];
    await api.acquire(1, [{ id: dropped.id }, { id: kept.id }]);
    expect(await api.release(1, 1, [kept.id])).toBe(1);
    expect(await api.references(dropped.id)).toEqual(none);
    expect(await api.references(kept.id)).toEqual(one);
    expect(await api.release(1, 1)).toBe(1);
    expect(await api.references(kept.id)).toEqual(none);
  });

  it("leaves other jobs' references", async () => {
    const { id } = await api.create();
    await api.acquire(2, [{ id }]);
    await api.acquire(3, [{ id }]);
    expect(await api.release(2, 1)).toBe(1);
    expect(await api.references(id)).toEqual(one);
  });

  it('drops a reference once, however many requests and replicas drop it', async () => {
    const { id } = await api.create();
    await api.acquire(4, [{ id }]);
    const replica = await running.addReplica();
    const released = await Promise.all(Array.from({ length: 20 }, () => api.release(4, 1)));
    expect(released.reduce((sum, count) => sum + count)).toBe(1);
    expect(await api.references(id)).toEqual(none);
    await replica.stop();
  });

  it('may come before its job is known', async () => {
    expect(await api.release(5, 1)).toBe(0);
  });
});

describe('releaseCategories › a stale release', () => {
  it('changes nothing that a later version has acquired', async () => {
    const { id } = await api.create();
    await api.acquire(6, [{ id }], { version: 1 });
    await api.acquire(6, [{ id }], { version: 3 });
    expect(await api.release(6, 2)).toBe(0);
    expect(await api.references(id)).toEqual(one);
    expect(await api.release(6, 3)).toBe(1);
  });

  it('changes nothing that a later version had acquired before an earlier one did', async () => {
    const { id } = await api.create();
    await api.acquire(7, [{ id }], { version: 3 });
    await api.acquire(7, [{ id }], { version: 2 });
    expect(await api.release(7, 2)).toBe(0);
    expect(await api.references(id)).toEqual(one);
    expect(await api.release(7, 3)).toBe(1);
  });
});
