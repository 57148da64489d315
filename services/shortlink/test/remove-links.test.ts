import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLink, removeLinks, resolveLink } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { call, type RunningShortlink, runShortlink } from './running-shortlink.ts';

let shortlink: RunningShortlink;
beforeAll(async () => {
  shortlink = await runShortlink();
});
afterAll(() => shortlink.stop());

const linkOf = async (jobId: number) => (await shortlink.bus.request(createLink, call({ jobId }))).data.url;
const remove = async (jobIds: number[]) =>
  (await shortlink.bus.request(removeLinks, call({ jobIds }))).data.removed;

describe('removeLinks', () => {
  it('removes the links of these jobs and of no other', async () => {
    const gone = await linkOf(1);
    const kept = await linkOf(2);
    expect(await remove([1, 7])).toBe(1);
    const code = gone.slice(gone.lastIndexOf('/') + 1);
    const resolving = shortlink.bus.request(resolveLink, { params: { code }, context: ownCall(5000) });
    await expect(resolving).rejects.toMatchObject({ code: 'link_not_found' });
    expect(await linkOf(2)).toBe(kept);
  });

  it('takes it as done when there is nothing to remove', async () => {
    expect(await remove([])).toBe(0);
    expect(await remove([99])).toBe(0);
  });
});
