import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CountingSite, runCountingSite, visitor } from './counting-site.ts';
import { BROWSER, START } from './running-site.ts';

let on: CountingSite;
beforeAll(async () => {
  on = await runCountingSite();
}, 60_000);
afterAll(() => on?.stop());
beforeEach(() => on.site.clock.set(START));

describe('the same visitor', () => {
  it('counts once in 30 s for a job and type, and again after it', async () => {
    const id = await on.openJob();
    const ann = visitor('198.51.100.1');
    await on.beacon(await on.tokenOf(id), ann);
    on.site.clock.advance(29_999);
    await on.beacon(await on.tokenOf(id), ann);
    expect(await on.counted(id)).toBe(1);
    on.site.clock.advance(1);
    await on.beacon(await on.tokenOf(id), ann);
    expect(await on.counted(id)).toBe(2);
    on.site.clock.advance(29_999);
    await on.beacon(await on.tokenOf(id), ann);
    expect(await on.counted(id)).toBe(2);
  });

  it('is another one with another address, network or user agent, and for another job', async () => {
    const [id, other] = [await on.openJob(), await on.openJob()];
    const view = async (jobId: number, address: string, agent?: string) =>
      on.beacon(await on.tokenOf(jobId), visitor(address, agent ?? BROWSER));
    await view(id, '198.51.100.1');
    await view(other, '198.51.100.1');
    expect([await on.counted(id), await on.counted(other)]).toEqual([1, 1]);
    await view(id, '198.51.100.2');
    await view(id, '198.51.100.1', `${BROWSER} Edg/142.0.0.0`);
    expect(await on.counted(id)).toBe(3);
    await view(id, '2001:db8:1:2::3');
    await view(id, '2001:db8:1:2:ffff::4');
    expect(await on.counted(id)).toBe(4);
    await view(id, '2001:db8:1:3::3');
    expect(await on.counted(id)).toBe(5);
    await view(id, '::ffff:198.51.100.1');
    expect(await on.counted(id)).toBe(5);
  });

  it('counts once if two beacons come at once', async () => {
    const id = await on.openJob();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => on.tokenOf(id)));
    await Promise.all(tokens.map((token) => on.beacon(token, visitor('198.51.100.7'))));
    expect(await on.counted(id)).toBe(1);
  });

  it('counts again if the report of the first try could not be stored', async () => {
    const id = await on.openJob();
    const token = await on.tokenOf(id);
    const ann = visitor('198.51.100.8');
    await on.beacon(token, ann);
    await on.reports().deleteMany({ jobId: id });
    await on.beacon(token, ann);
    expect(await on.counted(id)).toBe(1);
  });
});

describe('what is stored of visitors', () => {
  const everything = async () => {
    const collections = await on.site.mongo.listCollections();
    const all = await Promise.all(
      collections.map(({ name }) => on.site.mongo.collection(name).find().toArray()),
    );
    return JSON.stringify(all);
  };

  it('a new salt replaces that of the day before, which is stored nowhere', async () => {
    const id = await on.openJob();
    on.site.clock.set('2026-03-20T23:59:50Z');
    const ann = visitor('203.0.113.99');
    await on.beacon(await on.tokenOf(id), ann);
    const secrets = on.site.mongo.collection<{ _id: string; value: string; day: string }>('secrets');
    const before = await secrets.findOne({ _id: 'visitors' });
    on.site.clock.set('2026-03-21T00:00:01Z');
    await on.beacon(await on.tokenOf(id), ann);
    const after = await secrets.findOne({ _id: 'visitors' });
    expect([before?.day, after?.day]).toEqual(['2026-03-20', '2026-03-21']);
    expect(before?.value).toHaveLength(43);
    expect(after?.value).not.toBe(before?.value);
    expect(await everything()).not.toContain(before?.value);
    // Nothing links the visitor to the day before.
    expect(await on.counted(id)).toBe(2);
  });

  it('has no address and no user agent, and expires', async () => {
    const id = await on.openJob();
    await on.beacon(await on.tokenOf(id), visitor('203.0.113.77', `${BROWSER} Marker/1`));
    const stored = await everything();
    expect(stored).not.toContain('203.0.113');
    expect(stored).not.toContain('Marker');
    const visits = on.site.mongo.collection<{ expireAt: Date }>('visits');
    const indexes = await visits.indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expireAt: 1 }, expireAfterSeconds: 0 }));
    const [latest] = await visits.find().sort({ expireAt: -1 }).limit(1).toArray();
    expect(latest?.expireAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
  });
});
