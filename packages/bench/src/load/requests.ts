import type { Keys } from '@joblisting/testing/system';

/** Writes requests to one origin, in the bytes of HTTP/1.1. */
export function requestsTo(origin: string, keys: Keys = {}) {
  const head = [
    `Host: ${new URL(origin).host}`,
    ...(keys.consumer === undefined ? [] : [`Consumer-API-Key: ${keys.consumer}`]),
    ...(keys.user === undefined ? [] : [`User-API-Key: ${keys.user}`]),
  ].join('\r\n');
  const send = (method: string, path: string, body: string): string =>
    `${method} ${path} HTTP/1.1\r\n${head}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  return {
    get: (path: string): string => `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`,
    post: (path: string, body: string): string => send('POST', path, body),
    put: (path: string, body: string): string => send('PUT', path, body),
  };
}
