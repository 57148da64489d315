import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CountingSite, runCountingSite, visitor } from './counting-site.ts';
import { START } from './running-site.ts';
import { previews, robots } from './user-agents.ts';

let on: CountingSite;
beforeAll(async () => {
  on = await runCountingSite();
}, 60_000);
afterAll(() => on?.stop());
beforeEach(() => on.site.clock.set(START));

describe('GET /Share/Job{id}/out', () => {
  const clickThrough = { applicantRoutingType: { id: 2, name: 'Click-through' } } as const;
  const url = 'https://acme.example/jobs/1?from=a&x=%C3%BC#top';
  const out = async (id: number, headers: Record<string, string> = visitor(), query = '') => {
    const response = await on.site.get(`/Share/Job${id}/out${query}`, headers);
    return [response.status, response.headers.get('location')];
  };

  it('leads to the stored address only, and counts once in 30 s', async () => {
    const id = await on.openJob({ ...clickThrough, applicationUrl: url });
    const ann = visitor();
    expect(await out(id, ann, '?url=https://evil.example&applicationUrl=//evil.example')).toEqual([302, url]);
    expect(await out(id, ann)).toEqual([302, url]);
    expect([await on.counted(id, 'clickThrough'), await on.counted(id)]).toEqual([1, 0]);
    on.site.clock.advance(30_000);
    await out(id, ann);
    expect(await on.counted(id, 'clickThrough')).toBe(2);
    // A view is another type.
    await on.beacon(await on.tokenOf(id), ann);
    expect(await on.counted(id)).toBe(1);
  });

  it('leads robots and prefetches on, and counts nothing', async () => {
    const id = await on.openJob({ ...clickThrough, applicationUrl: url });
    for (const agent of [...robots, ...previews]) {
      expect(await out(id, visitor(undefined, agent))).toEqual([302, url]);
    }
    await out(id, { ...visitor(), 'sec-purpose': 'prefetch' });
    await fetch(`${on.site.origin}/Share/Job${id}/out`, {
      method: 'HEAD',
      headers: visitor(),
      redirect: 'manual',
    });
    expect(await on.counted(id, 'clickThrough')).toBe(0);
  });

  it('leads browsers on that a page of another site sent, and counts nothing', async () => {
    const id = await on.openJob({ ...clickThrough, applicationUrl: url });
    for (const from of ['cross-site', 'same-site'])
      expect(await out(id, { ...visitor(), 'sec-fetch-site': from })).toEqual([302, url]);
    expect(await on.counted(id, 'clickThrough')).toBe(0);
    await out(id, { ...visitor(), 'sec-fetch-site': 'same-origin' });
    expect(await on.counted(id, 'clickThrough')).toBe(1);
  });

  it('leads to the job page if the job is closed or collects applications itself; 404 for none', async () => {
    const closing = await on.openJob({
      ...clickThrough,
      applicationUrl: url,
      closeDate: '2026-03-11',
      closesAt: '2026-03-11T12:00:00.000Z',
    });
    const collecting = await on.openJob();
    on.site.clock.set('2026-03-11T12:00:00Z');
    expect(await out(closing)).toEqual([302, `/Share/Job${closing}`]);
    expect(await out(collecting)).toEqual([302, `/Share/Job${collecting}`]);
    expect(await out(999_999)).toEqual([404, null]);
    expect(await on.reports().countDocuments({ jobId: { $in: [closing, collecting] } })).toBe(0);
  });
});
