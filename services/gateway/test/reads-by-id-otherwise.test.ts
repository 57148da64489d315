import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { connectBus } from '@joblisting/bus';
import { keyRevoked } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { startGateway } from './support/gateway.ts';
import { keys, pairOf, userKey } from './support/peers.ts';
import { askRaw, speak } from './support/raw.ts';
import { readsWorld } from './support/reads-by-id.ts';

const world = readsWorld();

/** All that comes back, but for what is of one answer alone. */
async function alike(bytes: string): Promise<string[]> {
  const ofOneAnswer = /^(request-id|traceparent|date|ratelimit):/i;
  const lines = (await speak(world().gateway.origin, bytes)).split('\r\n');
  const kept = lines.filter((line) => !ofOneAnswer.test(line));
  // The order of headers says nothing.
  return kept.map((line) => line.replace(/"requestId":"[^"]*"/, '')).toSorted();
}

describe('the whole way', () => {
  it.each([
    ['GET', '/jobs/1?', {}, 200],
    ['GET', '/jobs/1?x=1', {}, 200],
    ['GET', '/jobs/01', {}, 400],
    ['GET', '/jobs/2147483648', {}, 400],
    ['GET', '/jobs/%31', {}, 200],
    ['GET', '/jobs/1%', {}, 400],
    ['GET', '/jobs/1/', {}, 404],
    ['GET', '/jobs/', {}, 404],
    ['GET', '/jobs//1', {}, 404],
    ['HEAD', '/jobs/1', {}, 200],
    ['OPTIONS', '/jobs/1', {}, 204],
    ['DELETE', '/jobs/1', {}, 503],
    ['POST', '/jobs/1', {}, 405],
    ['GET', '/jobs/1', { 'Content-Length': '0' }, 200],
    ['GET', '/jobs/1', { Expect: 'something' }, 200],
  ])('is taken by %s %s with %j', async (method, path, headers, status) => {
    const answer = await askRaw(world().gateway.base + path, method, { ...keys, ...headers });
    // A preflight has no handler of its own, and what no route takes is refused before one.
    expect(answer.status).toBe(status);
    if (status === 200) expect(world().handled()).toBe(1);
  });

  it('answers 304 to a tag that still holds, which costs nothing', async () => {
    const own = world().newKeys({ readsPerMinute: 10 });
    await world().read('/jobs/1', {}, own);
    const { headers } = await world().read('/jobs/1', {}, own);
    const again = await world().read('/jobs/1', { 'If-None-Match': String(headers['etag']) }, own);
    expect([again.status, again.text, again.headers['ratelimit']]).toEqual([304, '', '"reads";r=8;t=42']);
  });

  it('is taken where the keys are not known, or do not suffice', async () => {
    expect((await world().read('/jobs/1', {}, {})).status).toBe(401);
    expect((await world().read('/jobs/1', {}, { 'User-API-Key': userKey })).status).toBe(401);
    expect((await world().read('/jobs/1', {}, { 'Consumer-API-Key': keys['Consumer-API-Key'] })).status).toBe(
      401,
    );
    expect((await world().read('/jobs/1', { 'Consumer-API-Key': 'jlc_unknown' })).status).toBe(401);
    const own = world().newKeys({ scopes: ['jobs:write'] });
    for (let turn = 0; turn < 3; turn++) {
      const answer = await world().read('/jobs/1', {}, own);
      expect([answer.status, JSON.parse(answer.text).code]).toEqual([403, 'scope_missing']);
    }
  });

  it('is taken from the moment on in which a key is revoked', async () => {
    const bus = await connectBus({ url: world().gateway.nats.url, name: 'accounts' });
    const own = world().newKeys({ keyIds: [7777] });
    await world().read('/jobs/1', {}, own);
    expect((await world().read('/jobs/1', {}, own)).status).toBe(200);
    world().gateway.accounts.delete(pairOf(own['Consumer-API-Key'], userKey));
    bus.notify(keyRevoked, { keyId: 7777 });
    await waitFor(async () => (await world().read('/jobs/1', {}, own)).status === 401, {
      what: 'the refusal',
    });
    await bus.close();
  });

  it.each([
    ['names two hosts', 'GET /v1.0/jobs/1 HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['says no version', 'GET /v1.0/jobs/1\r\n\r\n', 400],
    [
      'has a body',
      'GET /v1.0/jobs/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}',
      401,
    ],
  ])('is taken by a request that %s', async (_what, bytes, status) => {
    expect(await speak(world().gateway.origin, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe('a read by id', () => {
  it.each([
    ['of HTTP/1.0', 'GET /v1.0/jobs/1 HTTP/1.0\r\n'],
    ['of HTTP/1.0 that goes on', 'GET /v1.0/jobs/1 HTTP/1.0\r\nConnection: keep-alive\r\n'],
    ['that hangs up', 'GET /v1.0/jobs/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'],
    ['in absolute form', 'GET http://x/v1.0/jobs/1 HTTP/1.1\r\nHost: x\r\n'],
    ['with a key twice', 'GET /v1.0/jobs/1 HTTP/1.1\r\nHost: x\r\nUser-API-Key: jlu_user\r\n'],
    [
      'with two types to choose from',
      'GET /v1.0/jobs/5 HTTP/1.1\r\nHost: x\r\nAccept: a/b\r\nAccept: */*\r\n',
    ],
  ])('%s is answered as on the whole way', async (_what, head) => {
    const lines = Object.entries(keys).map(([name, value]) => `${name}: ${value}\r\n`);
    const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const heard = (more = '') => alike(`${head}${lines.join('')}${more}\r\n${last}`);
    expect(await heard()).toEqual(await heard('If-None-Match: "none"\r\n'));
  });

  it('says that it hangs up where the gateway begins to stop meanwhile', async () => {
    const second = await startGateway(
      { REQUEST_TIMEOUT_MS: '5000' },
      { clock: world().clock, beside: world().gateway },
    );
    const agent = new Agent({ keepAlive: true });
    await askRaw(`${second.base}/jobs/1`, 'GET', keys);
    await world().reset();
    const sent = request(`${second.base}/jobs/8`, { headers: keys, agent }).end();
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    await waitFor(() => world().waiting() === 1, { what: 'the request to be under way' });
    const stopped = second.stop();
    let refused = 0;
    const isRefused = () =>
      askRaw(`${second.origin}/healthz`, 'GET').then(
        () => false,
        () => ++refused > 4,
      );
    // By then it has looked whether anything is under way.
    await waitFor(isRefused, { everyMs: 25, what: 'new connections to be refused for a while' });
    world().release();
    const [response] = await answered;
    response.resume();
    expect([response.statusCode, response.headers.connection, world().handled()]).toEqual([200, 'close', 0]);
    await stopped;
    agent.destroy();
  });

  it('is refused while nobody serves it, and served again after', async () => {
    await world().peer.stop();
    const refused = await world().read('/jobs/1');
    expect([refused.status, refused.headers['retry-after'], world().handled()]).toEqual([503, '1', 0]);
    await world().playJobs();
    expect((await world().read('/jobs/1')).status).toBe(200);
  });
});
