import { describe, expect, it } from '@jest/globals';
import { bitlinkIn, errorCodeIn } from './bitlink.ts';

const body = (over: Record<string, unknown> = {}) =>
  JSON.stringify({
    id: 'bit.ly/3HylRIf',
    link: 'https://bit.ly/3HylRIf',
    long_url: 'https://a.example',
    ...over,
  });

describe('bitlinkIn', () => {
  it('reads the link', () => {
    expect(bitlinkIn(body())).toEqual({ id: 'bit.ly/3HylRIf', url: 'https://bit.ly/3HylRIf' });
  });

  it.each([
    ['job.example/2-a_B', 'https://job.example/2-a_B'],
    ['jöb.example/abc', 'https://jöb.example/abc'],
    ['localhost:8080/abc', 'http://localhost:8080/abc'],
    [`bit.ly/${'a'.repeat(113)}`, `https://bit.ly/${'a'.repeat(113)}`],
  ])('takes %s', (id, link) => {
    expect(bitlinkIn(body({ id, link }))).toEqual({ id, url: link });
  });

  it.each([
    [{ link: undefined }],
    [{ link: '' }],
    [{ link: 'bit.ly/abc' }],
    [{ link: 'ftp://bit.ly/abc' }],
    [{ link: 'https://user:word@bit.ly/abc' }],
    [{ link: 'https://bit.ly/\u202Eabc' }],
    [{ id: `bit.ly/${'a'.repeat(114)}`, link: `https://bit.ly/${'a'.repeat(114)}` }],
    [{ link: 'https://bit.ly/another' }],
    [{ link: 'https://bit.ly/' }],
    [{ link: 'https://bit.ly/a?b=/3HylRIf' }],
    [{ id: undefined }],
    [{ id: 42 }],
    [{ id: 'bit.ly' }],
    [{ id: 'bit.ly/' }],
    [{ id: '../abc' }],
    [{ id: 'bit.ly/..' }],
    [{ id: 'bit.ly/a/b' }],
    [{ id: 'bit.ly/a?b' }],
    [{ id: 'bit.ly/a%2e' }],
    [{ id: `bit.ly/${'a'.repeat(122)}` }],
  ])('takes no %j', (over) => {
    expect(bitlinkIn(body(over))).toBeUndefined();
  });

  it.each(['', '[]', 'null', '"x"', '{', '{"id":'])('reads nothing in %s', (text) => {
    expect(bitlinkIn(text)).toBeUndefined();
  });
});

describe('errorCodeIn', () => {
  it.each([
    [
      '{"message":"INVALID_ARG_LONG_URL","description":"The value provided is invalid."}',
      'INVALID_ARG_LONG_URL',
    ],
    ['{"message":"FORBIDDEN"}', 'FORBIDDEN'],
    ['{"message":"Bearer a-token is wrong"}', undefined],
    ['{"message":7}', undefined],
    ['<html>', undefined],
  ])('in %s', (text, expected) => {
    expect(errorCodeIn(text)).toBe(expected);
  });
});
