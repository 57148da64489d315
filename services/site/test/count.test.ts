import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, waitFor } from '@joblisting/testing';
import { type ApiServer, KEY, startApiServer } from './api-server.ts';
import { BROWSER, publicJob, runSite, type RunningSite, START } from './running-site.ts';
import { browsers, previews, robots } from './user-agents.ts';

let api: ApiServer;
let site: RunningSite;
/** No report leaves the outbox, so that tests can look there. */
beforeAll(async () => {
  api = await startApiServer();
  api.behave({ status: 503 });
  site = await runSite({ API_URL: api.url, CONSUMER_KEY: KEY, TRUSTED_PROXIES: '127.0.0.1, ::1' });
}, 60_000);
afterAll(async () => {
  await site?.stop();
  await api?.stop();
});
beforeEach(() => site.clock.set(START));

let nextJobId = 1;
let nextAddress = 1;

interface WaitingReport {
  readonly _id: string;
  readonly jobId: number;
  readonly type: string;
  readonly at: Date;
}
const reports = () => site.mongo.collection<WaitingReport>('reports');
const counted = (jobId: number, type = 'view') => reports().countDocuments({ jobId, type });

async function openJob(more = {}): Promise<number> {
  const id = nextJobId++;
  await site.publish(publicJob(id, more));
  return id;
}

async function tokenOf(jobId: number): Promise<string> {
  const text = await (await site.get(`/Share/Job${jobId}`)).text();
  return /data-token="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** Another visitor each time, unless the address is given. */
const visitor = (address = `192.0.2.${nextAddress++ % 250}`, agent: string | undefined = BROWSER) => ({
  'x-forwarded-for': address,
  ...(agent !== undefined && { 'user-agent': agent }),
});

/** Sends the token as `navigator.sendBeacon` does. */
const beacon = async (token: string, headers: Record<string, string> = visitor()) => {
  const type = { 'content-type': 'text/plain;charset=UTF-8' };
  const response = await fetch(`${site.origin}/count`, {
    method: 'POST',
    headers: { ...type, ...headers },
    body: token,
  });
  return [response.status, await response.text()];
};
const image = async (token: string, headers: Record<string, string> = visitor()) => {
  const response = await site.get(`/count/${token}.gif`, headers);
  return [response.status, response.headers.get('content-type'), (await response.bytes()).length];
};
const PIXEL = [200, 'image/gif', 42];

describe('a view', () => {
  it('counts by the script, once for a token, whoever sends it again', async () => {
    const id = await openJob();
    const token = await tokenOf(id);
    expect(await beacon(token)).toEqual([204, '']);
    expect(await reports().find({ jobId: id }).toArray()).toEqual([
      { _id: `view:${token.split('.')[1]}`, jobId: id, type: 'view', at: new Date(START) },
    ]);
    expect(await beacon(token)).toEqual([204, '']);
    expect(await image(token)).toEqual(PIXEL);
    expect(await counted(id)).toBe(1);
  });

  it('counts by the image where there is no script', async () => {
    const id = await openJob();
    const page = await (await site.get(`/Share/Job${id}`)).text();
    const src = /<noscript><img src="\/count\/([^"]+)\.gif" alt=""/.exec(page)?.[1] ?? '';
    expect(await image(src)).toEqual(PIXEL);
    expect(await counted(id)).toBe(1);
  });

  it('counts nothing, and says nothing, for a token that is forged, malformed, of another purpose or old', async () => {
    const id = await openJob();
    const token = await tokenOf(id);
    const [jobId, random, time, mac = ''] = token.split('.');
    const other = await openJob();
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
    for (const value of forged) expect(await beacon(value)).toEqual([204, '']);
    const form = await (await site.get(`/Share/Job${id}/apply`)).text();
    expect(await beacon(/name="token" value="([^"]+)"/.exec(form)?.[1] ?? '')).toEqual([204, '']);
    expect(await image('x')).toEqual(PIXEL);
    site.clock.advance(12 * 3600_000 + 1);
    expect(await beacon(token)).toEqual([204, '']);
    expect(await counted(id)).toBe(0);
    expect(await counted(other)).toBe(0);
    site.clock.advance(-1);
    expect(await beacon(token)).toEqual([204, '']);
    expect(await counted(id)).toBe(1);
  });

  it('204 for what is no token at all', async () => {
    const bodies = [
      { 'content-type': 'application/json' },
      { 'content-type': 'multipart/form-data; boundary=x' },
    ];
    for (const headers of bodies) expect(await beacon('{"a":', headers)).toEqual([204, '']);
  });

  it('counts nothing for HEAD, prefetch, prerender, no user agent, or from a page of another site', async () => {
    const id = await openJob();
    const token = await tokenOf(id);
    const head = await fetch(`${site.origin}/count/${token}.gif`, { method: 'HEAD', headers: visitor() });
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
      expect(await beacon(token, { ...visitor(), ...each })).toEqual([204, '']);
      expect(await image(token, { ...visitor(), ...each })).toEqual(PIXEL);
    }
    expect(await counted(id)).toBe(0);
    await beacon(token, { ...visitor(), origin: site.origin, 'sec-fetch-site': 'same-origin' });
    expect(await counted(id)).toBe(1);
  });

  it('counts nothing for a job that closed or was deleted since', async () => {
    site.clock.set('2026-03-11T11:59:59Z');
    const closing = await openJob({ closeDate: '2026-03-11', closesAt: '2026-03-11T12:00:00.000Z' });
    const deleted = await openJob();
    const tokens = await Promise.all([closing, deleted].map(tokenOf));
    await site.tell('deleted', { jobId: deleted, version: 2 });
    await site.untilJob(deleted, 410);
    site.clock.set('2026-03-11T12:00:00Z');
    for (const token of tokens) await beacon(token);
    expect(await reports().countDocuments({ jobId: { $in: [closing, deleted] } })).toBe(0);
    expect(await (await site.get(`/Share/Job${closing}`)).text()).not.toContain('data-token');
  });
});

describe('user agents', () => {
  it.each([...robots, ...previews])('count nothing: %s', async (agent) => {
    const id = await openJob();
    const token = await tokenOf(id);
    await beacon(token, visitor(undefined, agent));
    await image(token, visitor(undefined, agent));
    expect(await counted(id)).toBe(0);
  });

  it.each(browsers)('count once: %s', async (agent) => {
    const id = await openJob();
    const token = await tokenOf(id);
    const headers = visitor(undefined, agent);
    await beacon(token, headers);
    await image(token, headers);
    await beacon(await tokenOf(id), headers);
    expect(await counted(id)).toBe(1);
  });
});

describe('the same visitor', () => {
  it('counts once in 30 s for a job and type, and again after it', async () => {
    const id = await openJob();
    const ann = visitor('198.51.100.1');
    await beacon(await tokenOf(id), ann);
    site.clock.advance(29_999);
    await beacon(await tokenOf(id), ann);
    expect(await counted(id)).toBe(1);
    site.clock.advance(1);
    await beacon(await tokenOf(id), ann);
    expect(await counted(id)).toBe(2);
    site.clock.advance(29_999);
    await beacon(await tokenOf(id), ann);
    expect(await counted(id)).toBe(2);
  });

  it('is another one with another address, network or user agent, and for another job', async () => {
    const [id, other] = [await openJob(), await openJob()];
    const view = async (jobId: number, address: string, agent?: string) =>
      beacon(await tokenOf(jobId), visitor(address, agent ?? BROWSER));
    await view(id, '198.51.100.1');
    await view(other, '198.51.100.1');
    expect([await counted(id), await counted(other)]).toEqual([1, 1]);
    await view(id, '198.51.100.2');
    await view(id, '198.51.100.1', `${BROWSER} Edg/142.0.0.0`);
    expect(await counted(id)).toBe(3);
    await view(id, '2001:db8:1:2::3');
    await view(id, '2001:db8:1:2:ffff::4');
    expect(await counted(id)).toBe(4);
    await view(id, '2001:db8:1:3::3');
    expect(await counted(id)).toBe(5);
    await view(id, '::ffff:198.51.100.1');
    expect(await counted(id)).toBe(5);
  });

  it('counts once if two beacons come at once', async () => {
    const id = await openJob();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => tokenOf(id)));
    await Promise.all(tokens.map((token) => beacon(token, visitor('198.51.100.7'))));
    expect(await counted(id)).toBe(1);
  });

  it('counts again if the report of the first try could not be stored', async () => {
    const id = await openJob();
    const token = await tokenOf(id);
    const ann = visitor('198.51.100.8');
    await beacon(token, ann);
    await reports().deleteMany({ jobId: id });
    await beacon(token, ann);
    expect(await counted(id)).toBe(1);
  });
});

describe('what is stored of visitors', () => {
  const everything = async () => {
    const collections = await site.mongo.listCollections();
    const all = await Promise.all(collections.map(({ name }) => site.mongo.collection(name).find().toArray()));
    return JSON.stringify(all);
  };

  it('a new salt replaces that of the day before, which is stored nowhere', async () => {
    const id = await openJob();
    site.clock.set('2026-03-20T23:59:50Z');
    const ann = visitor('203.0.113.99');
    await beacon(await tokenOf(id), ann);
    const secrets = site.mongo.collection<{ _id: string; value: string; day: string }>('secrets');
    const before = await secrets.findOne({ _id: 'visitors' });
    site.clock.set('2026-03-21T00:00:01Z');
    await beacon(await tokenOf(id), ann);
    const after = await secrets.findOne({ _id: 'visitors' });
    expect([before?.day, after?.day]).toEqual(['2026-03-20', '2026-03-21']);
    expect(before?.value).toHaveLength(43);
    expect(after?.value).not.toBe(before?.value);
    expect(await everything()).not.toContain(before?.value);
    // Nothing links the visitor to the day before.
    expect(await counted(id)).toBe(2);
  });

  it('has no address and no user agent, and expires', async () => {
    const id = await openJob();
    await beacon(await tokenOf(id), visitor('203.0.113.77', `${BROWSER} Marker/1`));
    const stored = await everything();
    expect(stored).not.toContain('203.0.113');
    expect(stored).not.toContain('Marker');
    const visits = site.mongo.collection<{ expireAt: Date }>('visits');
    const indexes = await visits.indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expireAt: 1 }, expireAfterSeconds: 0 }));
    const [latest] = await visits.find().sort({ expireAt: -1 }).limit(1).toArray();
    expect(latest?.expireAt.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
  });
});

describe('GET /Share/Job{id}/out', () => {
  const clickThrough = { applicantRoutingType: { id: 2, name: 'Click-through' } } as const;
  const url = 'https://acme.example/jobs/1?from=a&x=%C3%BC#top';
  const out = async (id: number, headers: Record<string, string> = visitor(), query = '') => {
    const response = await site.get(`/Share/Job${id}/out${query}`, headers);
    return [response.status, response.headers.get('location')];
  };

  it('leads to the stored address only, and counts once in 30 s', async () => {
    const id = await openJob({ ...clickThrough, applicationUrl: url });
    const ann = visitor();
    expect(await out(id, ann, '?url=https://evil.example&applicationUrl=//evil.example')).toEqual([302, url]);
    expect(await out(id, ann)).toEqual([302, url]);
    expect([await counted(id, 'clickThrough'), await counted(id)]).toEqual([1, 0]);
    site.clock.advance(30_000);
    await out(id, ann);
    expect(await counted(id, 'clickThrough')).toBe(2);
    // A view is another type.
    await beacon(await tokenOf(id), ann);
    expect(await counted(id)).toBe(1);
  });

  it('leads robots and prefetches on, and counts nothing', async () => {
    const id = await openJob({ ...clickThrough, applicationUrl: url });
    for (const agent of [...robots, ...previews]) {
      expect(await out(id, visitor(undefined, agent))).toEqual([302, url]);
    }
    await out(id, { ...visitor(), 'sec-purpose': 'prefetch' });
    await fetch(`${site.origin}/Share/Job${id}/out`, { method: 'HEAD', headers: visitor(), redirect: 'manual' });
    expect(await counted(id, 'clickThrough')).toBe(0);
  });

  it('leads to the job page if the job is closed or collects applications itself; 404 for none', async () => {
    const closing = await openJob({
      ...clickThrough,
      applicationUrl: url,
      closeDate: '2026-03-11',
      closesAt: '2026-03-11T12:00:00.000Z',
    });
    const collecting = await openJob();
    site.clock.set('2026-03-11T12:00:00Z');
    expect(await out(closing)).toEqual([302, `/Share/Job${closing}`]);
    expect(await out(collecting)).toEqual([302, `/Share/Job${collecting}`]);
    expect(await out(999_999)).toEqual([404, null]);
    expect(await reports().countDocuments({ jobId: { $in: [closing, collecting] } })).toBe(0);
  });
});

describe('GET /assets/count.js', () => {
  it('has an ETag, and 304 for it', async () => {
    const first = await site.get('/assets/count.js');
    const etag = first.headers.get('etag') ?? '';
    expect((await first.text()).length).toBeLessThan(1000);
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await site.get('/assets/count.js', { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('counting without the API', () => {
  it('503 for a view that is one too many, which a metric says; a click-through leads on', async () => {
    const [port, healthPort] = [await freePort(), await freePort()];
    const url = 'https://acme.example/jobs/2';
    const routed = { applicantRoutingType: { id: 2, name: 'Click-through' }, applicationUrl: url } as const;
    const id = await openJob(routed);
    const full = { PORT: String(port), HEALTH_PORT: String(healthPort), MAX_WAITING_REPORTS: '1' };
    await reports().insertOne({ _id: 'waiting', jobId: id, type: 'view', at: new Date(START) });
    const replica = await site.addReplica(full);
    const at = `http://localhost:${port}`;
    const body = await tokenOf(id);
    const view = await fetch(`${at}/count`, { method: 'POST', headers: visitor(), body });
    const click = await fetch(`${at}/Share/Job${id}/out`, { headers: visitor(), redirect: 'manual' });
    const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
    await replica.stop();
    expect([view.status, click.status, click.headers.get('location')]).toEqual([503, 302, url]);
    expect(metrics).toContain('site_reports_total{outcome="refused"} 2');
    // There is room for it elsewhere, so the same view counts.
    await reports().deleteOne({ _id: 'waiting' });
  });

  it('keeps what counts until it is there', async () => {
    const id = await openJob();
    await beacon(await tokenOf(id));
    api.behave('fine');
    await waitFor(() => api.counted(id) === 1, { what: 'the view to be reported', limitMs: 70_000 });
    await waitFor(async () => (await reports().countDocuments()) === 0, { what: 'the outbox to be empty' });
    expect(api.faults).toEqual([]);
  }, 80_000);
});
