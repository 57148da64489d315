import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type MongoProxy, mongoProxy, testMongoUri, waitFor } from '@joblisting/testing';
import { runSite, type RunningSite } from './running-site.ts';
import { publicJobs, storePostings } from './stored-postings.ts';

const MAX_STREAMS = 4;
/** Long enough for all of them to be under way together. */
const FEED_LIMIT_MS = 4000;
/** More than the buffers between the site and its client hold. */
const description = `<p>${'x'.repeat(1024 * 1024)}</p>`;

let site: RunningSite;
let proxy: MongoProxy;
const sockets = new Set<Socket>();

beforeAll(async () => {
  proxy = await mongoProxy(testMongoUri());
  site = await runSite({
    MONGODB_URI: proxy.uri,
    FEED_LIMIT_MS: String(FEED_LIMIT_MS),
    LOG_LEVEL: 'silent',
    TRUSTED_PROXIES: '127.0.0.1, ::1',
  });
  await storePostings(site, publicJobs(1, 12));
  // Longer than the site stores them, so that few are enough.
  await site.mongo.collection('postings').updateMany({}, { $set: { description } });
  await storePostings(site, publicJobs(13, 262, { displayDate: '2026-03-02' }));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(async () => {
  await site.stop();
  await proxy.stop();
});

/** Requests the feed for a client at this address, and reads nothing. */
async function readNothing(address = '192.0.2.1'): Promise<Socket> {
  const socket = connect(Number(new URL(site.origin).port), '127.0.0.1');
  sockets.add(socket);
  socket.pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const headers = `Host: localhost\r\nConnection: close\r\nX-Forwarded-For: ${address}`;
  socket.write(`GET /feed/indeed.xml HTTP/1.1\r\n${headers}\r\n\r\n`);
  return socket;
}

const textOf = async (socket: Socket): Promise<string> => {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.resume();
  await once(socket, 'close');
  return text;
};

async function untilWhole(): Promise<void> {
  await proxy.startAgain();
  const isWhole = async () => {
    const response = await site.get('/feed/indeed.xml');
    return response.ok && (await response.text()).endsWith('</source>\n');
  };
  await waitFor(isWhole, { what: 'a whole feed', limitMs: 20_000 });
}

describe('a client that reads slowly', () => {
  it('is cut off after the limit, before the end of the feed', async () => {
    const socket = await readNothing();
    await new Promise((resolve) => setTimeout(resolve, FEED_LIMIT_MS + 500));
    const text = await textOf(socket);
    expect(text).toContain('HTTP/1.1 200 OK');
    expect(text).not.toContain('</source>');
    expect(text.endsWith('0\r\n\r\n')).toBe(false);
  });
});

describe('more clients than feeds are streamed at once', () => {
  it('503 with Retry-After until one has ended; 304 and HEAD all the same', async () => {
    const { headers } = await fetch(`${site.origin}/feed/indeed.xml`, { method: 'HEAD' });
    for (let count = 0; count < MAX_STREAMS; count += 1) await readNothing(`192.0.2.${count}`);
    const refusal = await waitFor(
      async () => {
        const response = await site.get('/feed.json');
        await response.body?.cancel();
        return response.status === 503 ? response : undefined;
      },
      { what: 'a refusal' },
    );
    expect(refusal.headers.get('retry-after')).toBe('30');
    expect(refusal.headers.get('etag')).toBeNull();
    const etag = headers.get('etag')!;
    expect((await site.get('/feed/indeed.xml', { 'if-none-match': etag })).status).toBe(304);
    expect((await fetch(`${site.origin}/feed.json`, { method: 'HEAD' })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await waitFor(async () => (await site.statusOf('/sitemap.xml')) === 200, { what: 'a free place' });
  });
});

describe('more feeds than one network may read at once', () => {
  it('503 for it, 200 for others', async () => {
    for (let count = 0; count < MAX_STREAMS; count += 1) await readNothing();
    const another = await readNothing();
    expect(await textOf(another)).toMatch(/^HTTP\/1\.1 503 /);
    expect(await site.statusOf('/sitemap.xml')).toBe(200);
  });
});

describe('a database that fails', () => {
  it.each(['gzip', 'identity'])('in mid-stream ends the connection (%s)', async (encoding) => {
    proxy.dieWithin('getMore');
    const whole = site
      .get('/feed/indeed.xml', { 'accept-encoding': encoding })
      .then((response) => response.text());
    await expect(whole).rejects.toThrow('terminated');
    await untilWhole();
  });

  it('before the stream gives 503 without an ETag', async () => {
    proxy.dieWithin('find');
    const response = await site.get('/sitemap.xml');
    expect(response.status).toBe(503);
    expect(response.headers.get('etag')).toBeNull();
    expect(await response.text()).toContain('<h1>Something went wrong</h1>');
    await untilWhole();
  });
});

describe('a replica that stops', () => {
  it('does not wait for slow clients', async () => {
    const socket = await readNothing();
    await site.stopReplicas();
    expect((await textOf(socket)).endsWith('0\r\n\r\n')).toBe(false);
  });
});
