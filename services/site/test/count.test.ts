import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, waitFor } from '@joblisting/testing';
import { type CountingSite, PIXEL, runCountingSite, visitor } from './counting-site.ts';
import { START } from './running-site.ts';

let on: CountingSite;
beforeAll(async () => {
  on = await runCountingSite();
}, 60_000);
afterAll(() => on?.stop());
beforeEach(() => on.site.clock.set(START));

describe('a view', () => {
  it('counts by the script, once for a token, whoever sends it again', async () => {
    const id = await on.openJob();
    const token = await on.tokenOf(id);
    expect(await on.beacon(token)).toEqual([204, '']);
    expect(await on.reports().find({ jobId: id }).toArray()).toEqual([
      { _id: `view:${token.split('.')[1]}`, jobId: id, type: 'view', at: new Date(START) },
    ]);
    expect(await on.beacon(token)).toEqual([204, '']);
    expect(await on.image(token)).toEqual(PIXEL);
    expect(await on.counted(id)).toBe(1);
  });

  it('counts by the image where there is no script', async () => {
    const id = await on.openJob();
    const page = await (await on.site.get(`/Share/Job${id}`)).text();
    const src = /<noscript><img src="\/count\/([^"]+)\.gif" alt=""/.exec(page)?.[1] ?? '';
    expect(await on.image(src)).toEqual(PIXEL);
    expect(await on.counted(id)).toBe(1);
  });

  it('counts nothing, and says nothing, for a token that is forged, malformed, of another purpose or old', async () => {
    const id = await on.openJob();
    const token = await on.tokenOf(id);
    const [jobId, random, time, mac = ''] = token.split('.');
    const other = await on.openJob();
    const forged = [
      '',
      'x',
      '...',
      `${other}.${random}.${time}.${mac}`,
      `${jobId}.${random}x.${time}.${mac}`,
      `${jobId}.${random}.${Number(time) + 1}.${mac}`,
      `${jobId}.${random}.${time}.${'A'.repeat(mac.length)}`,
      `${jobId}.${random}.${time}.`,
      `${jobId}.${random}.${time}`,
      'x'.repeat(200),
      'x'.repeat(5000),
    ];
    for (const value of forged) expect(await on.beacon(value)).toEqual([204, '']);
    const form = await (await on.site.get(`/Share/Job${id}/apply`)).text();
    expect(await on.beacon(/name="token" value="([^"]+)"/.exec(form)?.[1] ?? '')).toEqual([204, '']);
    expect(await on.image('x')).toEqual(PIXEL);
    on.site.clock.advance(12 * 3600_000 + 1);
    expect(await on.beacon(token)).toEqual([204, '']);
    expect(await on.counted(id)).toBe(0);
    expect(await on.counted(other)).toBe(0);
    on.site.clock.advance(-1);
    expect(await on.beacon(token)).toEqual([204, '']);
    expect(await on.counted(id)).toBe(1);
  });

  it('204 for what is no token at all', async () => {
    const bodies = [
      { 'content-type': 'application/json' },
      { 'content-type': 'multipart/form-data; boundary=x' },
    ];
    for (const headers of bodies) expect(await on.beacon('{"a":', headers)).toEqual([204, '']);
  });

  it('counts nothing for HEAD, prefetch, prerender, no user agent, or from a page of another site', async () => {
    const id = await on.openJob();
    const token = await on.tokenOf(id);
    const head = await fetch(`${on.site.origin}/count/${token}.gif`, { method: 'HEAD', headers: visitor() });
    expect(head.status).toBe(200);
    const headers = [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-purpose': 'preview' },
      { 'x-moz': 'prefetch' },
      { 'user-agent': '' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ];
    for (const each of headers) {
      expect(await on.beacon(token, { ...visitor(), ...each })).toEqual([204, '']);
      expect(await on.image(token, { ...visitor(), ...each })).toEqual(PIXEL);
    }
    expect(await on.counted(id)).toBe(0);
    await on.beacon(token, { ...visitor(), origin: on.site.origin, 'sec-fetch-site': 'same-origin' });
    expect(await on.counted(id)).toBe(1);
  });

  it('counts nothing for a job that closed or was deleted since', async () => {
    on.site.clock.set('2026-03-11T11:59:59Z');
    const closing = await on.openJob({ closeDate: '2026-03-11', closesAt: '2026-03-11T12:00:00.000Z' });
    const deleted = await on.openJob();
    const tokens = await Promise.all([closing, deleted].map(on.tokenOf));
    await on.site.tell('deleted', { jobId: deleted, version: 2 });
    await on.site.untilJob(deleted, 410);
    on.site.clock.set('2026-03-11T12:00:00Z');
    for (const token of tokens) await on.beacon(token);
    expect(await on.reports().countDocuments({ jobId: { $in: [closing, deleted] } })).toBe(0);
    expect(await (await on.site.get(`/Share/Job${closing}`)).text()).not.toContain('data-token');
  });
});

describe('counting without the API', () => {
  it('503 for a view that is one too many, which a metric says; a click-through leads on', async () => {
    const [port, healthPort] = [await freePort(), await freePort()];
    const url = 'https://acme.example/jobs/2';
    const routed = { applicantRoutingType: { id: 2, name: 'Click-through' }, applicationUrl: url } as const;
    const id = await on.openJob(routed);
    const full = { PORT: String(port), HEALTH_PORT: String(healthPort), MAX_WAITING_REPORTS: '1' };
    await on.reports().insertOne({ _id: 'waiting', jobId: id, type: 'view', at: new Date(START) });
    const replica = await on.site.addReplica(full);
    const at = `http://localhost:${port}`;
    const body = await on.tokenOf(id);
    const view = await fetch(`${at}/count`, { method: 'POST', headers: visitor(), body });
    const click = await fetch(`${at}/Share/Job${id}/out`, { headers: visitor(), redirect: 'manual' });
    const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
    await replica.stop();
    expect([view.status, click.status, click.headers.get('location')]).toEqual([503, 302, url]);
    expect(metrics).toContain('site_reports_total{outcome="refused"} 2');
    // There is room for it elsewhere, so the same view counts.
    await on.reports().deleteOne({ _id: 'waiting' });
  });

  it('keeps what counts until it is there', async () => {
    const id = await on.openJob();
    await on.beacon(await on.tokenOf(id));
    on.api.behave('fine');
    await waitFor(() => on.api.counted(id) === 1, { what: 'the view to be reported', limitMs: 70_000 });
    await waitFor(async () => (await on.reports().countDocuments()) === 0, {
      what: 'the outbox to be empty',
    });
    expect(on.api.faults).toEqual([]);
  }, 80_000);
});
