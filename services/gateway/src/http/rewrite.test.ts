import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { faultOf, pathOf, rewriteRequest } from './rewrite.ts';

/** The parts of node's request that the rewriting looks at. */
const requestOf = (method: string, url: string, override?: string) =>
  ({ method, url, headers: { 'x-http-method-override': override } }) as unknown as IncomingMessage;

describe('rewriteRequest', () => {
  it.each([
    ['POST', 'DELETE', 'DELETE'],
    ['POST', 'put', 'PUT'],
    ['POST', ' Delete ', 'DELETE'],
    ['GET', 'DELETE', 'GET'],
    ['PUT', 'DELETE', 'PUT'],
    ['DELETE', 'nonsense', 'DELETE'],
  ])('%s with override %j is %s', (method, override, expected) => {
    const raw = requestOf(method, '/v1.0/jobs/1', override);
    expect(rewriteRequest(raw)).toBe('/v1.0/jobs/1');
    expect(raw.method).toBe(expected);
    expect(faultOf(raw)).toBeUndefined();
  });

  it.each(['PATCH', 'GET', '', 'DELETE, DELETE', 'DELETE\u0000'])('override %j is a fault', (override) => {
    const raw = requestOf('POST', '/v1.0/jobs', override);
    rewriteRequest(raw);
    expect(raw.method).toBe('POST');
    expect(faultOf(raw)).toEqual({ override: true });
  });

  it.each([
    ['http://example.com/v1.0/jobs?a=%zz', '/v1.0/jobs?a=%zz'],
    ['HTTPS://example.com', '/'],
    ['/v1.0/jobs/%31', '/v1.0/jobs/%31'],
  ])('%s becomes %s', (url, expected) => {
    const raw = requestOf('GET', url);
    expect(rewriteRequest(raw)).toBe(expected);
    expect(faultOf(raw)).toBeUndefined();
  });

  it.each([
    ['/v1.0/jobs/%zz?x=%31', '/v1.0/jobs/%25zz?x=%31'],
    ['/v1.0/jobs/%ff%31', '/v1.0/jobs/%25ff%2531'],
  ])('%s stays routable and is a fault', (url, expected) => {
    const raw = requestOf('GET', url);
    expect(rewriteRequest(raw)).toBe(expected);
    expect(faultOf(raw)).toEqual({ encoding: true });
  });
});

describe('pathOf', () => {
  it.each([
    ['/v1.0/jobs', '/v1.0/jobs'],
    ['/v1.0/jobs?page=1', '/v1.0/jobs'],
    ['http://other.example/v1.0/jobs/9?x', '/v1.0/jobs/9'],
    ['HTTPS://other.example', '/'],
  ])('of %s is %s', (target, path) => {
    expect(pathOf(target)).toBe(path);
  });
});
