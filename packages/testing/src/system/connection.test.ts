import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { openConnection } from './connection.ts';

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
    const hits = [];
    for (let round = 0; round < 3; round++) hits.push(await connection.send(REQUEST));
    expect(hits.map(({ status, hasRetryAfter }) => [status, hasRetryAfter])).toEqual([
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
