import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { ask, type TestGateway } from './support/gateway.ts';
import { type PublicWorld, read, startPublicWorld } from './support/public-world.ts';
import { speak } from './support/raw.ts';

const PATHS = ['/jobcategories/1', '/jobcategories?company.id=5', '/jobtypes', '/provinces?country.id=840'];
const OF_ONE_ANSWER = new Set(['request-id', 'traceparent', 'date']);

let nextCountry = 1000;
let world: PublicWorld;
let gateway: TestGateway;
beforeAll(async () => {
  world = await startPublicWorld();
  gateway = world.first;
});
afterAll(() => world.stop());
beforeEach(() => world.reset());

/** The first asks the owner, the second goes the whole way to what is kept: those after it need not. */
async function learn(path: string) {
  await read(gateway, path);
  return read(gateway, path);
}

const headersOf = ({ headers }: { headers: Headers }) =>
  Object.fromEntries([...headers].filter(([name]) => !OF_ONE_ANSWER.has(name)));

/** How many requests with this status the metrics have for a route. */
async function counted(route: string, status: number): Promise<number> {
  const text = await gateway.metrics.registry.metrics();
  const line = text
    .split('\n')
    .find((each) =>
      each.startsWith(`http_server_requests_total{method="GET",route="${route}",status="${status}"`),
    );
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('an answer that is there already', () => {
  it.each(PATHS)('to %s is that of the whole way', async (path) => {
    const whole = await learn(path);
    for (let turn = 0; turn < 3; turn++) {
      const ready = await read(gateway, path);
      expect([ready.status, ready.text]).toEqual([200, whole.text]);
      expect(headersOf(ready)).toEqual(headersOf(whole));
      expect(ready.headers.get('request-id')).not.toBe(whole.headers.get('request-id'));
      expect(ready.headers.get('traceparent')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    }
  });

  it('has the ids that were sent', async () => {
    await learn('/jobtypes');
    const own = { 'Request-Id': 'mine-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
    const { headers } = await read(gateway, '/jobtypes', own);
    expect(headers.get('request-id')).toBe('mine-1');
    expect(headers.get('traceparent')).toMatch(new RegExp(`^00-${'a'.repeat(32)}-`));
  });

  it('is counted like any other', async () => {
    const now = () => counted('/v1.0/countries', 200);
    await learn('/countries');
    for (let turn = 0; turn < 5; turn++) await read(gateway, '/countries');
    await waitFor(async () => (await now()) >= 7, { what: 'seven requests that are counted' });
    expect(await now()).toBe(7);
  });

  it('goes out whole to several requests that come at once on one connection', async () => {
    const { text } = await learn('/jobtypes');
    const one = 'GET /v1.0/jobtypes HTTP/1.1\r\nHost: x\r\n\r\n';
    const answers = await speak(
      gateway.origin,
      one.repeat(4) + one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    );
    expect(answers.split(text)).toHaveLength(6);
    expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(5);
  });

  it.each([
    ['Origin', 'https://elsewhere.example.com'],
    ['Range', 'bytes=0-3'],
    ['If-Match', '"x"'],
    ['If-None-Match', '"x"'],
    ['If-Modified-Since', 'Sat, 01 Jan 2028 00:00:00 GMT'],
    ['Accept', 'text/html'],
    ['Accept-Version', '9.9'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['Authorization', 'Basic nonsense'],
    ['Consumer-API-Key', 'nonsense'],
    ['X-Forwarded-Host', 'elsewhere.example.com'],
    ['Traceparent', 'nonsense'],
    ['Request-Id', 'not a sane one'],
  ])('is as right with %s: %s as the whole way is', async (name, value) => {
    // Another target for each: the first answer to it went the whole way.
    const target = `/provinces?country.id=${nextCountry++}`;
    const whole = await read(gateway, target, { [name]: value });
    await learn(target);
    const ready = await read(gateway, target, { [name]: value });
    expect([ready.status, ready.text, headersOf(ready)]).toEqual([
      whole.status,
      whole.text,
      headersOf(whole),
    ]);
  });

  it('is not given where the request wants something else', async () => {
    const { text, headers } = await learn('/jobtypes');
    const url = `${gateway.base}/jobtypes`;
    const tag = headers.get('etag')!;
    expect((await read(gateway, '/jobtypes', { 'If-None-Match': tag })).status).toBe(304);
    const head = await ask(url, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await ask(url, { method: 'DELETE' })).status).toBe(405);
    expect((await ask(url, { method: 'OPTIONS' })).status).toBe(204);
    expect((await read(gateway, '/jobtypes?nothing=1')).body.warnings).toHaveLength(1);
    expect((await read(gateway, '/jobtypes')).text).toBe(text);
  });

  it.each([
    ['names two hosts', 'GET /v1.0/jobtypes HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['says no version', 'GET /v1.0/jobtypes\r\n\r\n', 400],
    [
      'has a body',
      'GET /v1.0/jobtypes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
      200,
    ],
  ])('is not given to a request that %s', async (_what, bytes, status) => {
    await learn('/jobtypes');
    expect(await speak(gateway.origin, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('is not given once it is too old, or has changed', async () => {
    await learn('/jobcategories/1');
    world.played.name = 'Another Name';
    world.pass(999);
    expect((await read(gateway, '/jobcategories/1')).body.data.name).not.toBe('Another Name');
    world.pass(1);
    expect((await read(gateway, '/jobcategories/1')).body.data.name).toBe('Another Name');
  });

  it('is right for more targets than are known at once', async () => {
    const ids = Array.from({ length: 1010 }, (_, index) => index + 1);
    for (const id of ids) await learn(`/jobcategories/${id}`);
    for (const id of [1, 2, 999, 1000, 1001, 1010])
      expect((await read(gateway, `/jobcategories/${id}`)).body.data.id).toBe(id);
  });
});
