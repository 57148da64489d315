import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLink, createLinks } from '@joblisting/contracts';
import { call, type RunningShortlink, runShortlink } from './running-shortlink.ts';

let shortlink: RunningShortlink;
beforeAll(async () => {
  shortlink = await runShortlink();
});
afterAll(() => shortlink.stop());

const linksOf = async (jobIds: readonly number[]) =>
  (await shortlink.bus.request(createLinks, call({ jobIds }))).data.links;
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('createLinks', () => {
  it('makes the link of each, the same one as for each by itself', async () => {
    const first = (await shortlink.bus.request(createLink, call({ jobId: 7 }))).data;
    const links = await linksOf(range(100));
    expect(links.map(({ jobId }) => jobId)).toEqual(range(100));
    expect(new Set(links.map(({ url }) => url)).size).toBe(100);
    expect(links[6]).toEqual({ jobId: 7, ...first });
    expect(await linksOf([3, 2])).toEqual([links[2], links[1]]);
  });

  it('makes one link where a job is named twice', async () => {
    const [first, second] = await linksOf([201, 201]);
    expect(first).toEqual(second);
  });

  it('refuses none at all, more than a hundred, and what is no job id', async () => {
    const attempts = [[], range(101), [1, 'x']].map((jobIds) =>
      shortlink.bus.request(createLinks, call({ jobIds })),
    );
    for (const attempt of attempts)
      await expect(attempt).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
