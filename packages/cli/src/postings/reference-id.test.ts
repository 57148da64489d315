import { describe, expect, it } from '@jest/globals';
import { identifierValues, referenceId } from './reference-id.ts';

const longUrl = `https://careers.example.com/jobs/${'x'.repeat(40)}`;

describe('referenceId', () => {
  it.each<[candidates: unknown[], reference: string | undefined]>([
    [['REQ-1', 'https://example.com/1'], 'REQ-1'],
    [[undefined, null, '', ' ', {}, 'https://example.com/1'], 'https://example.com/1'],
    [[4711], '4711'],
    [['x'.repeat(50)], 'x'.repeat(50)],
    [['😀'.repeat(50)], '😀'.repeat(50)],
    [[longUrl], 'sha256:DIGEST'],
    [[], undefined],
    [[true], undefined],
  ])('of %j is %j', (candidates, reference) => {
    expect(referenceId(candidates)?.replace(/(?<=^sha256:).+/u, 'DIGEST')).toBe(reference);
  });

  it('hashes a long source to 50 characters, the same each time and different for another source', () => {
    const first = referenceId([longUrl]);
    expect(first).toBe(referenceId([longUrl]));
    expect(first).not.toBe(referenceId([`${longUrl}y`]));
    expect(first).toHaveLength(50);
  });
});

describe('identifierValues', () => {
  it.each<[identifier: unknown, values: unknown[]]>([
    ['REQ-1', ['REQ-1']],
    [{ '@type': 'PropertyValue', name: 'Acme', value: 'REQ-1' }, ['REQ-1']],
    [
      [{ value: 7 }, 'b'],
      [7, 'b'],
    ],
    [undefined, []],
  ])('of %j are %j', (identifier, values) => {
    expect(identifierValues(identifier)).toEqual(values);
  });
});
