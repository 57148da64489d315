import { describe, expect, it } from '@jest/globals';
import { settling } from './settle-due.ts';

const NOW = Date.UTC(2026, 2, 19, 12);
/** As many jobs are due as are asked for, for ever. */
const endless = {
  settle: (_company: number | undefined, _now: number, limit: number) => Promise.resolve(limit),
};

describe('settling the due jobs of one company', () => {
  it('refuses in time to be told, where it cannot be done by the deadline', async () => {
    const { ofCompany } = settling(endless, () => undefined);
    const settled = ofCompany(1, NOW, Date.now() + 310);
    await expect(settled).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
  });
});
