import { beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { newIds } from './new-ids.ts';

/** Both clocks, in milliseconds. */
let wall: number;
let monotonic: number;
/** The ids that links were asked for ahead, request by request. */
let asked: number[][];
/** The database that ids are taken from. */
let isAway: boolean;
let linksOf: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;
let take: (count: number) => Promise<{ readonly id: number; readonly url: string | undefined }[]>;

const all = (ids: readonly number[]) => Promise.resolve(new Map(ids.map((id) => [id, `link-${id}`])));

beforeEach(() => {
  wall = 1_000_000_000_000;
  monotonic = 1000;
  asked = [];
  linksOf = all;
  isAway = false;
  let last = 0;
  const newId = newIds({
    nextId: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(++last)),
    createAhead: (ids) => {
      asked.push([...ids]);
      return linksOf(ids);
    },
    now: () => wall,
    monotonic: () => monotonic,
  });
  take = async (count) => {
    const taken = [];
    for (let n = 0; n < count; n++) {
      taken.push(await newId());
      await turn();
    }
    return taken;
  };
});

const pass = (ms: number) => {
  wall += ms;
  monotonic += ms;
};
const ready = (taken: readonly { readonly url: string | undefined }[]) =>
  taken.filter(({ url }) => url !== undefined).length;

describe('ids of new jobs', () => {
  it('have no links where few jobs are made', async () => {
    for (let second = 0; second < 5; second++) {
      expect(ready(await take(15))).toBe(0);
      pass(1000);
    }
    expect(asked).toEqual([]);
  });

  it('have the links that were made ahead, each its own, where many are', async () => {
    const taken = await take(500);
    expect(ready(taken)).toBeGreaterThan(450);
    for (const { id, url } of taken) expect([undefined, `link-${id}`]).toContain(url);
    expect(new Set(taken.map(({ id }) => id)).size).toBe(500);
  });

  it('get as many links ahead as jobs were made in a second, a hundred at most', async () => {
    await take(500);
    expect(asked[0]?.length).toBe(16);
    expect(Math.max(...asked.map(({ length }) => length))).toBe(100);
    expect(asked.length).toBeLessThan(15);
  });

  it('are all used, and each once', async () => {
    const ids = (await take(1000)).map(({ id }) => id);
    const unused = Math.max(...ids) - ids.length;
    expect(new Set(ids).size).toBe(1000);
    expect(unused).toBeLessThan(150);
  });

  it('lose links that nobody has taken for 30 s, and are handed out all the same', async () => {
    await take(50);
    pass(29_999);
    expect(ready(await take(1))).toBe(1);
    pass(1);
    const [next] = await take(1);
    expect(next?.url).toBeUndefined();
    expect(asked.flat()).toContain(next?.id);
  });

  it('count the 30 s from before the links were asked for', async () => {
    linksOf = (ids) => {
      pass(30_000);
      return all(ids);
    };
    expect(ready(await take(100))).toBe(0);
  });

  it.each([
    ['forwards', 30_000],
    ['back', -1],
  ])('lose their links where the clock of the machine is set %s', async (_where, ms) => {
    await take(50);
    wall += ms;
    expect(ready(await take(1))).toBe(0);
  });

  it('lose their links where the machine stood still', async () => {
    await take(50);
    monotonic += 30_000;
    expect(ready(await take(1))).toBe(0);
  });

  it('are handed out where no links are made ahead, which is not asked for again for ten seconds', async () => {
    linksOf = () => Promise.resolve(new Map());
    expect(ready(await take(100))).toBe(0);
    expect(asked.length).toBe(1);
    pass(10_001);
    linksOf = all;
    await take(100);
    expect(ready(await take(100))).toBeGreaterThan(80);
  });

  it('are used where others could not be had', async () => {
    isAway = true;
    await expect(take(1)).rejects.toThrow('away');
    isAway = false;
    await take(30);
    isAway = true;
    const left = await take(10).catch(() => []);
    isAway = false;
    const ids = [...left, ...(await take(300))].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have links only where they were made', async () => {
    linksOf = (ids) => all(ids.filter((id) => id % 2 === 0));
    const taken = await take(300);
    for (const { id, url } of taken) if (id % 2 === 1) expect(url).toBeUndefined();
    expect(ready(taken)).toBeGreaterThan(100);
  });

  it('are asked for links once at a time', async () => {
    linksOf = () => new Promise(() => {});
    await take(100);
    expect(asked.length).toBe(1);
  });
});
