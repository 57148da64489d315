import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setRetention } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { retentionModel } from '../src/models/retention.ts';
import { type RunningApplications, runApplications } from './running-applications.ts';

let running: RunningApplications;
beforeAll(async () => {
  running = await runApplications();
});
afterAll(() => running.stop());

const set = (companyId: number, days: unknown) =>
  running.bus.request(setRetention, { body: { companyId, days }, context: ownCall(5000) });
const stored = async (companyId: number) =>
  (await retentionModel(running.mongo).findById(companyId).lean())?.days;

describe('setRetention', () => {
  it('stores the days of a company, and forgets them again', async () => {
    expect((await set(5, 30)).data).toEqual({ days: 30 });
    expect(await stored(5)).toBe(30);
    expect((await set(5, null)).data).toEqual({ days: null });
    expect(await stored(5)).toBeUndefined();
  });

  it.each([30, null])('refuses %j days for an unknown company', async (days) => {
    await expect(set(900, days)).rejects.toMatchObject({ code: 'company_not_found' });
    expect(await stored(900)).toBeUndefined();
  });

  it.each([0, 3651, '30'])('refuses %j', async (days) => {
    await expect(set(5, days)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/days' }],
    });
  });
});
