import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createLog, type Log } from '@joblisting/service-kit';
import { freePort, waitFor } from '@joblisting/testing';
import { publicJob, runSite, type RunningSite } from './running-site.ts';

const css = readFileSync(new URL('../assets/site.css', import.meta.url), 'utf8');

/** A log that keeps the lines of requests. */
function keepingLog() {
  const lines: object[] = [];
  const info = (line: object): void => void lines.push(line);
  const log: Log = createLog('site', 'silent');
  log.child = (() => ({ info, debug: info, isLevelEnabled: () => true })) as unknown as Log['child'];
  return { log, lines };
}

const { log, lines } = keepingLog();
let site: RunningSite;
let healthPort: number;
beforeAll(async () => {
  healthPort = await freePort();
  site = await runSite({ MAX_CONNECTIONS_PER_ADDRESS: '20', HEALTH_PORT: String(healthPort) }, { log });
  await site.publishAll([publicJob(1)]);
});
afterAll(() => site.stop());

/** Sends raw bytes, and resolves to what came until the server closed. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(site.origin).port), 'localhost');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => (answer += text));
  socket.on('error', () => undefined);
  socket.end(bytes);
  await once(socket, 'close');
  return answer;
}

describe('every page', () => {
  it.each(['/', '/Share/Job1', '/companies/1', '/nowhere'])(
    'answers HEAD as GET, without a body: %s',
    async (path) => {
      const got = await site.get(path);
      const body = await got.text();
      const head = await fetch(site.origin + path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([got.status, '']);
      expect(head.headers.get('Content-Length')).toBe(String(Buffer.byteLength(body)));
      // The page of a job has another token each time.
      if (path !== '/Share/Job1') expect(head.headers.get('ETag')).toBe(got.headers.get('ETag'));
    },
  );

  it('lets a browser load nothing from elsewhere, and run nothing in it', async () => {
    const response = await site.get('/');
    const policy = response.headers.get('Content-Security-Policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(await response.text()).not.toMatch(/<script|<style|style=/);
  });
});

describe('the style sheet', () => {
  const pathIn = async () =>
    /href="(\/assets\/site-[0-9a-f]+\.css)"/.exec(await (await site.get('/')).text())?.[1] ?? '';

  it('is kept for ever at the address with its hash', async () => {
    const response = await site.get(await pathIn());
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('Content-Type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('Content-Encoding')).toBe('gzip');
    expect(await response.text()).toBe(css);
  });

  it('is sent at the address of another release, not to be kept', async () => {
    const response = await site.get('/assets/site-0123456789ab.css');
    expect(response.headers.get('Cache-Control')).toBe('no-cache');
    expect(await response.text()).toBe(css);
    expect(await site.statusOf('/assets/other-0123456789ab.css')).toBe(404);
  });
});

describe('a request that is refused', () => {
  it.each([
    ['a path that cannot be decoded', 'GET', '/%zz', 404],
    ['a path with a traversal', 'GET', '/assets/..%2f..%2fpackage.json', 404],
    ['a long address', 'GET', `/?q=${'a'.repeat(8000)}`, 414],
    ['a method that no page has', 'POST', '/', 404],
    ['a method that no page has, with a body', 'PUT', '/Share/Job1', 404],
  ])('gets a page: %s', async (_what, method, path, status) => {
    const response = await fetch(site.origin + path, { method, ...(method !== 'GET' && { body: 'x=1' }) });
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(await response.text()).toContain('<h1>');
  });

  it('431 for large headers', async () => {
    expect(await sendRaw(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431/,
    );
  });

  it('503 with Retry-After while too many are under way', async () => {
    const own = await runSite({ MAX_IN_FLIGHT: '1' });
    try {
      const responses = await Promise.all(Array.from({ length: 20 }, () => own.get('/')));
      const refused = responses.filter(({ status }) => status === 503);
      expect(refused.length).toBeGreaterThan(0);
      expect(responses.some(({ status }) => status === 200)).toBe(true);
      expect(refused[0]?.headers.get('Retry-After')).toBe('1');
      expect(refused[0]?.headers.get('Cache-Control')).toBe('no-store');
      expect(await refused[0]?.text()).toContain('Many people are here now');
      expect(await own.statusOf('/')).toBe(200);
    } finally {
      await own.stop();
    }
  });

  it('is none while others only send their bodies slowly', async () => {
    const own = await runSite({ MAX_IN_FLIGHT: '1' });
    const socket = connect(Number(new URL(own.origin).port), 'localhost');
    try {
      const head = 'POST /count HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n';
      // The answer shows that the request after it has come, too.
      socket.write(`HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n${head}a`);
      await once(socket, 'data');
      expect(await own.statusOf('/')).toBe(200);
    } finally {
      socket.destroy();
      await own.stop();
    }
  });

  it('has its connection closed where its address has too many', async () => {
    const { port } = new URL(site.origin);
    const sockets = Array.from({ length: 25 }, () => connect(Number(port), '127.0.0.1'));
    try {
      let closed = 0;
      for (const socket of sockets) socket.on('error', () => undefined).on('close', () => closed++);
      await waitFor(() => closed >= 5, { what: 'closed connections' });
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await waitFor(
      () =>
        site.statusOf('/').then(
          (status) => status === 200,
          () => false,
        ),
      { what: 'a page' },
    );
  });
});

describe('a request leaves', () => {
  it('one line with its route and status, and nothing of who asked for what', async () => {
    lines.length = 0;
    const response = await site.get('/?q=secret-word', { 'User-Agent': 'secret-agent' });
    await response.text();
    await site.statusOf('/Share/Job999');
    await site.statusOf('/healthz');
    await waitFor(() => lines.length >= 2, { what: 'two lines' });
    const requestId = response.headers.get('Request-Id');
    const durationMs = expect.any(Number);
    expect(lines).toEqual([
      { requestId, method: 'GET', route: '/', status: 200, durationMs },
      {
        requestId: expect.any(String),
        method: 'GET',
        route: '/Share/Job:id(^\\d{1,10}$)',
        status: 404,
        durationMs,
      },
    ]);
  });

  it('a measurement by route and status', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
    expect(metrics).toMatch(
      /http_server_request_duration_seconds_count\{[^}]*route="\/",status="200"[^}]*\} [1-9]/,
    );
  });
});

describe('the health of the site', () => {
  it('200 while it serves', async () => {
    expect([await site.statusOf('/healthz'), await site.statusOf('/readyz')]).toEqual([200, 200]);
  });

  it('503 once it stops, with pages until the end of the drain', async () => {
    const own = await runSite({ DRAIN_MS: '500' });
    const stopped = own.stopReplicas();
    await waitFor(async () => (await own.statusOf('/readyz')) === 503, { what: 'the stop' });
    const response = await own.get('/');
    expect([response.status, response.headers.get('Connection')]).toEqual([200, 'close']);
    await response.text();
    await stopped;
    await expect(own.get('/')).rejects.toThrow();
    await own.stop();
  });
});

describe('a port that is taken', () => {
  it('ends the start with a configuration error', async () => {
    const { port } = new URL(site.origin);
    await expect(runSite({ HOST: '127.0.0.1', PORT: port })).rejects.toThrow(
      `PORT ${port} on 127.0.0.1 is taken by another process`,
    );
  });
});
