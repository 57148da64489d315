import { describe, expect, it } from '@jest/globals';
import { useWorld } from '../../src/index.ts';
import { sendBytes, statusesIn } from './raw.ts';

const world = useWorld();
const keyHeaders = () => ({ 'Consumer-API-Key': world.consumerKey, 'User-API-Key': world.userKey });
/** A request head with the keys and these lines. */
const head = (requestLine: string, ...lines: string[]) => {
  const keys = Object.entries(keyHeaders()).map(([name, value]) => `${name}: ${value}`);
  return `${[requestLine, 'Host: a', ...keys, ...lines].join('\r\n')}\r\n\r\n`;
};
const post = (...lines: string[]) => head('POST /v1.0/jobs HTTP/1.1', ...lines);
/** A second request, which must not be read after an ambiguous first one. */
const smuggled = () => head('GET /v1.0/jobtypes HTTP/1.1', 'Connection: close');
const JSON_TYPE = 'Content-Type: application/json';

describe('a request with an ambiguous end', () => {
  const heads: [string, () => string][] = [
    ['both lengths', () => post(JSON_TYPE, 'Content-Length: 5', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    [
      'both lengths in reverse order',
      () => post(JSON_TYPE, 'Transfer-Encoding: chunked', 'Content-Length: 5'),
    ],
    ['two lengths', () => post(JSON_TYPE, 'Content-Length: 2', 'Content-Length: 3') + '{}'],
    ['two equal lengths', () => post(JSON_TYPE, 'Content-Length: 2', 'Content-Length: 2') + '{}'],
    ['a list of lengths', () => post(JSON_TYPE, 'Content-Length: 2, 2') + '{}'],
    ['a signed length', () => post(JSON_TYPE, 'Content-Length: +2') + '{}'],
    ['a negative length', () => post(JSON_TYPE, 'Content-Length: -2') + '{}'],
    ['a hexadecimal length', () => post(JSON_TYPE, 'Content-Length: 0x2') + '{}'],
    ['a length beyond 64 bits', () => post(JSON_TYPE, `Content-Length: ${'9'.repeat(30)}`) + '{}'],
    ['an unknown coding', () => post(JSON_TYPE, 'Transfer-Encoding: xchunked') + '0\r\n\r\n'],
    ['chunked not last', () => post(JSON_TYPE, 'Transfer-Encoding: chunked, identity') + '0\r\n\r\n'],
    ['a space before the colon', () => post(JSON_TYPE, 'Transfer-Encoding : chunked') + '0\r\n\r\n'],
    ['a folded header', () => post(JSON_TYPE, 'Transfer-Encoding:', ' chunked') + '0\r\n\r\n'],
    ['a vertical tab', () => post(JSON_TYPE, 'Transfer-Encoding: \x0bchunked') + '0\r\n\r\n'],
    ['a NUL', () => post(JSON_TYPE, 'X: a\0b', 'Content-Length: 2') + '{}'],
    ['a header without a colon', () => post(JSON_TYPE, 'Nothing', 'Content-Length: 2') + '{}'],
    ['bare line feeds', () => 'GET /v1.0/jobtypes HTTP/1.1\nHost: a\n\n'],
    ['a bare carriage return', () => 'GET /v1.0/jobtypes HTTP/1.1\rHost: a\r\r'],
    ['a chunk without a size', () => post(JSON_TYPE, 'Transfer-Encoding: chunked') + 'x\r\n{}\r\n0\r\n\r\n'],
    ['a signed chunk size', () => post(JSON_TYPE, 'Transfer-Encoding: chunked') + '+2\r\n{}\r\n0\r\n\r\n'],
    ['a chunk size with 0x', () => post(JSON_TYPE, 'Transfer-Encoding: chunked') + '0x2\r\n{}\r\n0\r\n\r\n'],
    [
      'a chunk longer than its size',
      () => post(JSON_TYPE, 'Transfer-Encoding: chunked') + '2\r\n{} \r\n0\r\n\r\n',
    ],
    [
      'a chunk size past 64 bits',
      () => post(JSON_TYPE, 'Transfer-Encoding: chunked') + `${'F'.repeat(17)}\r\n`,
    ],
    [
      'a chunk extension of 64 KiB',
      () => post(JSON_TYPE, 'Transfer-Encoding: chunked') + `2;${'x'.repeat(65_536)}\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'a chunk extension with a line feed',
      () => post(JSON_TYPE, 'Transfer-Encoding: chunked') + '2;\n{}\r\n0\r\n\r\n',
    ],
    ['no host', () => 'GET /v1.0/jobtypes HTTP/1.1\r\n\r\n'],
    ['two hosts', () => head('GET /v1.0/jobtypes HTTP/1.1', 'Host: b')],
    ['a space in the target', () => head('GET /v1.0/jobtypes x HTTP/1.1')],
    ['an unknown version', () => head('GET /v1.0/jobtypes HTTP/3.7')],
    ['HTTP/0.9', () => 'GET /v1.0/jobtypes\r\n\r\n'],
    ['HTTP/2 without negotiation', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS hello', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ];

  it.each(heads)('%s: the bytes after it are not read', async (_what, bytes) => {
    const received = await sendBytes(world.origin, Buffer.from(bytes() + smuggled(), 'latin1'));
    expect(statusesIn(received)).toHaveLength(1);
    expect(statusesIn(received)[0]).toBeGreaterThanOrEqual(400);
    expect(received).toMatch(/\r\nConnection: close\r\n/i);
    expect(received).not.toContain('Full-time');
  });

  it('two well-formed requests are both answered', async () => {
    const first = post(JSON_TYPE, 'Transfer-Encoding: chunked');
    const received = await sendBytes(
      world.origin,
      `${first}2;a=b\r\n{}\r\n0\r\nX: trailer\r\n\r\n${smuggled()}`,
    );
    expect(statusesIn(received)).toEqual([422, 200]);
  });

  it('trailers carry no keys', async () => {
    const start = `POST /v1.0/jobs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${JSON_TYPE}\r\n`;
    const keys = Object.entries(keyHeaders()).map(([name, value]) => `${name}: ${value}\r\n`);
    const body = `Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n${keys.join('')}\r\n`;
    expect(statusesIn(await sendBytes(world.origin, start + body))).toEqual([401]);
  });
});

describe('large heads', () => {
  it.each([
    ['one header', () => head('GET /v1.0/jobtypes HTTP/1.1', `X: ${'x'.repeat(20_000)}`)],
    [
      'many headers',
      () => head('GET /v1.0/jobtypes HTTP/1.1', ...Array.from({ length: 5000 }, (_, n) => `X${n}: y`)),
    ],
    ['the target', () => head(`GET /v1.0/jobtypes?${'x'.repeat(20_000)} HTTP/1.1`)],
  ])('%s over 16 KiB: 431', async (_what, bytes) => {
    expect(statusesIn(await sendBytes(world.origin, bytes()))).toEqual([431]);
  });

  it.each([
    [100, 200],
    [101, 431],
  ])('%d header fields: %d', async (count, status) => {
    const own = smuggled()
      .split('\r\n')
      .filter((line) => line.includes(': ')).length;
    const fields = Array.from({ length: count - own }, (_, index) => `X${index}: y`);
    const bytes = head('GET /v1.0/jobtypes HTTP/1.1', 'Connection: close', ...fields);
    expect(statusesIn(await sendBytes(world.origin, bytes))).toEqual([status]);
  });
});
