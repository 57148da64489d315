import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLinksAhead, resolveLink } from '@joblisting/contracts';
import { runWithBitly } from './running-bitly.ts';
import { call, type RunningShortlink, runShortlink } from './running-shortlink.ts';

let shortlink: RunningShortlink;
beforeAll(async () => {
  shortlink = await runShortlink();
});
afterAll(() => shortlink.stop());

const ahead = async (jobIds: readonly number[], { bus } = shortlink) =>
  (await bus.request(createLinksAhead, call({ jobIds }))).data.links;
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('createLinksAhead', () => {
  it('makes a short link for each, which its job gets when it asks', async () => {
    const links = await ahead(range(100));
    expect(links.map(({ jobId }) => jobId)).toEqual(range(100));
    expect(new Set(links.map(({ url }) => url)).size).toBe(100);
    expect(await shortlink.linkOf(7)).toEqual({ url: links[6]?.url, final: true });
  });

  it('makes links that lead to the job', async () => {
    const [link] = await ahead([201]);
    const code = link?.url.split('/').at(-1) ?? '';
    const { data } = await shortlink.bus.request(resolveLink, {
      params: { code },
      context: call({}).context,
    });
    expect(data.location).toBe('https://search.example.com/Share/Job201');
  });

  it('leaves out a job that has one', async () => {
    const before = await shortlink.linkOf(301);
    expect((await ahead([301, 302, 302])).map(({ jobId }) => jobId)).toEqual([302]);
    expect(await shortlink.linkOf(301)).toEqual(before);
  });

  it('refuses none at all, more than a hundred, and what is no job id', async () => {
    const attempts = [[], range(101), [1, 'x']].map((jobIds) =>
      shortlink.bus.request(createLinksAhead, call({ jobIds })),
    );
    for (const attempt of attempts)
      await expect(attempt).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('createLinksAhead with bitly', () => {
  it('makes none: they would be taken from the budget', async () => {
    const { shortlink: other, calls, stop } = await runWithBitly();
    try {
      expect(await ahead([1, 2], other)).toEqual([]);
      expect(calls().made).toBe(0);
      expect(await other.mongo.collection('links').countDocuments()).toBe(0);
    } finally {
      await stop();
    }
  });
});
