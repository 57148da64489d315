import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { openConnection, requestsTo } from './connection.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

async function connected(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const connection = openConnection('127.0.0.1', (server.address() as AddressInfo).port);
  return { connection, end: () => (connection.close(), server.close()) };
}

describe('openConnection', () => {
  it('sends one request after the other, and reads answers with and without a body', async () => {
    const statuses = [200, 503, 204];
    const { connection, end } = await connected((_request, response) => {
      const status = statuses.shift() ?? 500;
      const body = status === 204 ? '' : 'x'.repeat(200_000);
      const headers = { 'Content-Length': body.length, ...(status === 503 && { 'Retry-After': '1' }) };
      response.writeHead(status, headers).end(body);
    });
    const answers = [];
    for (let round = 0; round < 3; round++) answers.push(await connection.send(REQUEST));
    expect(answers.map(({ status, hasRetryAfter }) => [status, hasRetryAfter])).toEqual([
      [200, false],
      [503, true],
      [204, false],
    ]);
    expect(connection.isOpen()).toBe(true);
    end();
  });

  it('has status 0 without an answer, and is closed then', async () => {
    const { connection, end } = await connected((_request, response) => response.destroy());
    expect((await connection.send(REQUEST)).status).toBe(0);
    expect(connection.isOpen()).toBe(false);
    expect((await connection.send(REQUEST)).status).toBe(0);
    end();
  });
});

describe('requestsTo', () => {
  it('writes a GET with keys', () => {
    const { get } = requestsTo('http://127.0.0.1:8080', { consumer: 'c', user: 'u' });
    expect(get('/v1.0/jobs/1')).toBe(
      'GET /v1.0/jobs/1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConsumer-API-Key: c\r\nUser-API-Key: u\r\n\r\n',
    );
  });

  it('counts the bytes of a body, not its characters', () => {
    const request = requestsTo('http://127.0.0.1:8080').post('/jobs', '{"é":1}');
    expect(request).toContain('Content-Length: 8\r\n\r\n{"é":1}');
    expect(request).not.toContain('API-Key');
  });

  it('leaves the bytes of a body as they are', () => {
    const { postBytes } = requestsTo('http://127.0.0.1:8080');
    const request = Buffer.from(postBytes('/jobs', Uint8Array.of(0, 255), 'image/png'));
    expect(request.toString('latin1')).toBe(
      'POST /jobs HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: image/png\r\nContent-Length: 2\r\n\r\n\x00\xff',
    );
  });
});
