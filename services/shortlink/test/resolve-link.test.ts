import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningShortlink, runShortlink } from './running-shortlink.ts';

let shortlink: RunningShortlink;
beforeAll(async () => {
  shortlink = await runShortlink();
});
afterAll(() => shortlink.stop());

describe('resolveLink', () => {
  it('leads to the shared job', async () => {
    const { url } = await shortlink.createLink(42);
    const code = url.slice(url.lastIndexOf('/') + 1);
    expect(await shortlink.resolve(code)).toBe('https://search.example.com/Share/Job42');
    const other = shortlink.resolve(code.toLowerCase() + code.toUpperCase());
    await expect(other).rejects.toMatchObject({ code: 'link_not_found' });
  });

  it.each(['nothing', '../s', '$ne', 'a.b', 'é'])('link_not_found for the unknown code %s', async (code) => {
    await expect(shortlink.resolve(code)).rejects.toMatchObject({ code: 'link_not_found' });
  });

  it.each(['', 'x'.repeat(65)])('invalid_parameter for the code "%s"', async (code) => {
    await expect(shortlink.resolve(code)).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});
