import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CountingSite, runCountingSite, visitor } from './counting-site.ts';
import { START } from './running-site.ts';
import { browsers, previews, robots } from './user-agents.ts';

let on: CountingSite;
beforeAll(async () => {
  on = await runCountingSite();
}, 60_000);
afterAll(() => on?.stop());
beforeEach(() => on.site.clock.set(START));

describe('user agents', () => {
  it.each([...robots, ...previews])('count nothing: %s', async (agent) => {
    const id = await on.openJob();
    const token = await on.tokenOf(id);
    await on.beacon(token, visitor(undefined, agent));
    await on.image(token, visitor(undefined, agent));
    expect(await on.counted(id)).toBe(0);
  });

  it.each(browsers)('count once: %s', async (agent) => {
    const id = await on.openJob();
    const token = await on.tokenOf(id);
    const headers = visitor(undefined, agent);
    await on.beacon(token, headers);
    await on.image(token, headers);
    await on.beacon(await on.tokenOf(id), headers);
    expect(await on.counted(id)).toBe(1);
  });
});
