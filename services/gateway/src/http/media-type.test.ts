import { describe, expect, it } from '@jest/globals';
import { mediaTypeOf } from './media-type.ts';

describe('mediaTypeOf', () => {
  it.each([
    ['application/json', 'application/json'],
    ['application/json; charset=UTF-8', 'application/json'],
    ['application/json;charset="utf-8"', 'application/json'],
    ['Application/JSON ; Charset=utf-8', 'application/json'],
    ['application/json; version=1', 'application/json'],
    ['application/json;', 'application/json'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/jsonx', 'application/jsonx'],
    ['application/json-patch+json', 'application/json-patch+json'],
    ['application/json; charset=latin1', undefined],
    ['application/json; charset=utf-16', undefined],
    ['application/json; charset=utf8', undefined],
    ['application/json charset=utf-8', undefined],
    ['application/json, text/plain', undefined],
    ['json', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %s', (header, expected) => {
    expect(mediaTypeOf(header)).toBe(expected);
  });
});
