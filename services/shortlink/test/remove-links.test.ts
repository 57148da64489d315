import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningShortlink, runShortlink } from './running-shortlink.ts';

let shortlink: RunningShortlink;
beforeAll(async () => {
  shortlink = await runShortlink();
});
afterAll(() => shortlink.stop());

describe('removeLinks', () => {
  it('removes the links of these jobs and of no other', async () => {
    const removed = await shortlink.createLink(1);
    const kept = await shortlink.createLink(2);
    expect(await shortlink.removeLinks(1, 7)).toBe(1);
    const code = removed.url.slice(removed.url.lastIndexOf('/') + 1);
    await expect(shortlink.resolve(code)).rejects.toMatchObject({ code: 'link_not_found' });
    expect(await shortlink.createLink(2)).toEqual(kept);
  });

  it('removes nothing where there is nothing, and says so', async () => {
    expect(await shortlink.removeLinks()).toBe(0);
    expect(await shortlink.removeLinks(99)).toBe(0);
  });

  it('lets a removed link be made anew, with another address', async () => {
    const before = await shortlink.createLink(3);
    await shortlink.removeLinks(3);
    const after = await shortlink.createLink(3);
    expect(after).toEqual({ url: expect.any(String), final: true });
    expect(after.url).not.toBe(before.url);
  });
});
