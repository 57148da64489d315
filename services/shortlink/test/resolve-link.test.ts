import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLink, resolveLink } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { call, type RunningShortlink, runShortlink } from './running-shortlink.ts';

let shortlink: RunningShortlink;
beforeAll(async () => {
  shortlink = await runShortlink();
});
afterAll(() => shortlink.stop());

const resolve = (code: string) =>
  shortlink.bus.request(resolveLink, { params: { code }, context: ownCall(5000) });

describe('resolveLink', () => {
  it('leads to the shared job', async () => {
    const { data } = await shortlink.bus.request(createLink, call({ jobId: 42 }));
    const code = data.url.slice(data.url.lastIndexOf('/') + 1);
    expect((await resolve(code)).data).toEqual({ location: 'https://search.example.com/Share/Job42' });
    await expect(resolve(code.toLowerCase() + code.toUpperCase())).rejects.toMatchObject({
      code: 'link_not_found',
    });
  });

  it.each(['nothing', '../s', '$ne', 'a.b', 'é'])('does not know the code %s', async (code) => {
    await expect(resolve(code)).rejects.toMatchObject({ code: 'link_not_found' });
  });

  it.each(['', 'x'.repeat(65)])('refuses "%s" as a code', async (code) => {
    await expect(resolve(code)).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});
