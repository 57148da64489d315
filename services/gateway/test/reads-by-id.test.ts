import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { keys, userKey } from './support/peers.ts';
import { speak } from './support/raw.ts';
import { ENORMOUS, large, MOST, readsWorld, WHOLE_WAY } from './support/reads-by-id.ts';

const OF_ONE_ANSWER = new Set(['request-id', 'traceparent', 'date', 'connection', 'ratelimit']);

const world = readsWorld();

const headersOf = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_ANSWER.has(name)));

const withoutIds = (text: string) => text.replace(/"requestId":"[^"]*"/, '');

async function metric(name: string): Promise<number> {
  const text = await world().gateway.metrics.registry.metrics();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1) ?? 0,
  );
}
const inFlight = () => metric('http_server_requests_in_flight');

describe('a read by id', () => {
  it.each([
    ['/jobs/1', {}],
    ['/jobs/3', {}],
    ['/jobs/4', {}],
    ['/jobs/5', {}],
    ['/jobs/5', { Accept: 'application/problem+json' }],
    ['/jobs/6', {}],
    ['/jobs/7', {}],
    ['/jobs/0', {}],
    ['/jobs/-1', {}],
    ['/jobs/2147483647', {}],
    ['/jobs/1', { Origin: 'https://elsewhere.example.com' }],
    ['/jobs/1', { Range: 'bytes=0-3' }],
    ['/jobs/1', { 'If-Match': '"x"' }],
    ['/jobs/1', { 'If-Modified-Since': 'Sat, 01 Jan 2028 00:00:00 GMT' }],
    ['/jobs/1', { Accept: 'text/html' }],
    ['/jobs/1', { 'Idempotency-Key': 'x' }],
    ['/jobs/1', { 'X-HTTP-Method-Override': 'DELETE' }],
    ['/jobs/1', { Authorization: 'Basic nonsense' }],
    ['/jobs/1', { Traceparent: 'nonsense' }],
    ['/jobs/1', { 'Request-Id': 'not a sane one' }],
  ])('of %s with %j is answered as on the whole way, before the router', async (path, headers) => {
    const short = await world().read(path, headers);
    expect(world().handled()).toBe(0);
    const whole = await world().read(path, { ...headers, ...WHOLE_WAY });
    expect(world().handled()).toBe(1);
    expect([short.status, withoutIds(short.text)]).toEqual([whole.status, withoutIds(whole.text)]);
    expect(headersOf(short)).toEqual(headersOf(whole));
  });

  it('has the ids that were sent', async () => {
    const own = { 'Request-Id': 'mine-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const { headers } = await world().read('/jobs/1', own);
    expect([headers['request-id'], world().handled()]).toEqual(['mine-1', 0]);
    expect(headers['traceparent']).toMatch(new RegExp(`^00-${'a'.repeat(32)}-[0-9a-f]{16}-00$`));
    const refused = await world().read('/jobs/5', own);
    expect([refused.headers['request-id'], JSON.parse(refused.text).requestId]).toEqual(['mine-1', 'mine-1']);
  });

  it('takes the keys of HTTP Basic', async () => {
    const basic = `Basic ${Buffer.from(`jlc_consumer:${userKey}`).toString('base64')}`;
    const answer = await world().read('/jobs/1', { Authorization: basic }, {});
    expect([answer.status, world().handled()]).toEqual([200, 0]);
  });

  it('is counted once against the limit, whichever way it goes, and refused at its end', async () => {
    const own = world().newKeys({ readsPerMinute: 4 });
    const left = async (path: string, headers = {}) => {
      const answer = await world().read(path, headers, own);
      return [answer.status, answer.headers['ratelimit']];
    };
    expect(await left('/jobs/1')).toEqual([200, '"reads";r=3;t=42']);
    expect(await left('/jobs/1')).toEqual([200, '"reads";r=2;t=42']);
    expect(await left('/jobs/5')).toEqual([404, '"reads";r=1;t=42']);
    expect(world().handled()).toBe(1);
    expect(await left('/jobs/1', WHOLE_WAY)).toEqual([200, '"reads";r=0;t=42']);
    expect(await left('/jobs/1')).toEqual([429, '"reads";r=0;t=42']);
  });

  it('is counted by its route and status', async () => {
    const now = (status: number) =>
      metric(`http_server_requests_total{method="GET",route="/v1.0/jobs/:id",status="${status}"`);
    const refused = () => metric('http_server_refusals_total{code="job_not_found"');
    const before = [await now(200), await now(404), await refused()] as const;
    for (const id of [1, 1, 5]) await world().read(`/jobs/${id}`);
    expect(world().handled()).toBe(0);
    await waitFor(async () => (await now(404)) > before[1], { what: 'a request that is counted' });
    expect([await now(200), await now(404), await refused()]).toEqual([
      before[0] + 2,
      before[1] + 1,
      before[2] + 1,
    ]);
  });

  it('goes out whole to several requests that come at once on one connection', async () => {
    const lines = Object.entries(keys).map(([name, value]) => `${name}: ${value}`);
    const one = (id: number, more = '') =>
      `GET /v1.0/jobs/${id} HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n${more}\r\n`;
    const answers = await speak(
      world().gateway.origin,
      one(1) + one(3) + one(5) + one(2, 'Connection: close\r\n'),
    );
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(
      [200, 200, 404, 200].map((status) => `HTTP/1.1 ${status}`),
    );
    expect(answers).toContain(JSON.stringify(large));
    expect(world().handled()).toBe(0);
  });
});

describe('an answer that its client does not read', () => {
  it('counts as kept until the client leaves', async () => {
    const kept = () => metric('http_server_buffered_bytes');
    const { port, hostname } = new URL(world().gateway.origin);
    const socket = connect(Number(port), hostname).pause();
    const lines = Object.entries(keys).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET /v1.0/jobs/9 HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`);
    const isKept = async () => (await inFlight()) === 0 && (await kept()) > ENORMOUS;
    await waitFor(isKept, { what: 'the answer to be kept, and to hold no place' });
    expect(world().handled()).toBe(0);
    socket.destroy();
    await waitFor(async () => (await kept()) === 0, { what: 'nothing to be kept' });
  });
});

describe('a place', () => {
  it('is held by each that is worked on, and free again after it', async () => {
    const most = Math.ceil(MOST * 0.75);
    const held = Array.from({ length: most }, () => world().read('/jobs/8'));
    await waitFor(() => world().waiting() === most, { what: 'all of them to be under way' });
    expect(await inFlight()).toBe(most);
    const over = await world().read('/jobs/1');
    expect([over.status, JSON.parse(over.text).code]).toEqual([503, 'overloaded']);
    world().release();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 200));
    expect([await inFlight(), (await world().read('/jobs/1')).status, world().handled()]).toEqual([
      0, 200, 0,
    ]);
  });

  it('is free again where nobody has answered in time, or the client has left', async () => {
    const left = () => metric('http_server_requests_total{method="GET",route="/v1.0/jobs/:id",status="499"');
    const late = await world().read('/jobs/8');
    expect([late.status, JSON.parse(late.text).code]).toEqual([504, 'deadline_exceeded']);
    const before = await left();
    const sent = request(`${world().gateway.base}/jobs/8`, { headers: keys, agent: false });
    sent.on('error', () => undefined).end();
    await waitFor(() => world().waiting() === 2, { what: 'the second one to be under way' });
    sent.destroy();
    await waitFor(async () => (await left()) === before + 1, { what: 'the client that left to be counted' });
    world().release();
    await waitFor(async () => (await inFlight()) === 0, { what: 'the place to be free' });
    expect(world().handled()).toBe(0);
  });
});
