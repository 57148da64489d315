import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLink } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { type RunningShortlink, runShortlink, runWithBitly } from './running-shortlink.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.each([
  ['builtin', () => runShortlink(), /^https:\/\/jobs\.example\.com\/s\/[0-9A-Za-z]{7}$/],
  ['bitly', () => runWithBitly(), /^https:\/\/bit\.ly\/[0-9a-z]+$/],
])('createLink with %s', (_provider, start: () => Promise<RunningShortlink>, address) => {
  let shortlink: RunningShortlink;
  beforeAll(async () => {
    shortlink = await start();
  });
  afterAll(() => shortlink.stop());

  it('answers with a short address, the same one for every request', async () => {
    const first = await shortlink.createLink(1);
    expect(first).toEqual({ url: expect.stringMatching(address), final: true });
    expect(await shortlink.createLink(1)).toEqual(first);
  });

  it('gives each job its own address, of at most 128 characters', async () => {
    const links = [];
    for (const jobId of [2, -2_147_483_648, 2_147_483_647]) links.push(await shortlink.createLink(jobId));
    expect(new Set(links.map(({ url }) => url)).size).toBe(3);
    for (const { url } of links) expect(url.length).toBeLessThanOrEqual(128);
  });

  it('makes one link when 100 requests come to two replicas at once', async () => {
    const second = await shortlink.addReplica();
    await Promise.all(range(100).map(() => shortlink.createLink(3)));
    const { url, final } = await shortlink.createLink(3);
    expect(final).toBe(true);
    const again = await Promise.all(range(100).map(() => shortlink.createLink(3)));
    expect(new Set(again.map((link) => link.url))).toEqual(new Set([url]));
    await second.stop();
  });

  it('answers with the same address after a restart', async () => {
    const before = await shortlink.createLink(4);
    await shortlink.stopReplicas();
    await shortlink.addReplica();
    expect(await shortlink.createLink(4)).toEqual(before);
  });

  it('refuses an invalid job id', async () => {
    const body = { jobId: { $gt: 0 } };
    const attempt = shortlink.bus.request(createLink, { body, context: ownCall(5000) });
    await expect(attempt).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/jobId', code: 'type' }],
    });
  });
});
