import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLink } from '@joblisting/contracts';
import { call, type RunningShortlink, runShortlink } from './running-shortlink.ts';

let shortlink: RunningShortlink;
beforeAll(async () => {
  shortlink = await runShortlink();
});
afterAll(() => shortlink.stop());

const linkOf = async (jobId: number) => (await shortlink.bus.request(createLink, call({ jobId }))).data;

describe('createLink', () => {
  it('makes a short link under the public address', async () => {
    expect(await linkOf(1)).toEqual({
      url: expect.stringMatching(/^https:\/\/jobs\.example\.com\/s\/[0-9A-Za-z]{7}$/),
      final: true,
    });
  });

  it('answers with the same link however often it is asked', async () => {
    const first = await linkOf(2);
    expect(await linkOf(2)).toEqual(first);
    expect(await linkOf(3)).not.toEqual(first);
  });

  it('makes one link when many ask two replicas at once', async () => {
    await shortlink.addReplica();
    const links = await Promise.all(Array.from({ length: 100 }, () => linkOf(4)));
    expect(new Set(links.map(({ url }) => url)).size).toBe(1);
  });

  it('refuses what is no job id', async () => {
    const attempt = shortlink.bus.request(createLink, call({ jobId: { $gt: 0 } }));
    await expect(attempt).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/jobId', code: 'type' }],
    });
  });
});
