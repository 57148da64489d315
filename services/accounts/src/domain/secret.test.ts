import { describe, expect, it } from '@jest/globals';
import { checkSecret } from '@joblisting/contracts';
import { newSecret } from './secret.ts';

describe('newSecret', () => {
  it.each([
    ['consumer', /^jlc_[0-9A-Za-z]{38}$/],
    ['user', /^jlu_[0-9A-Za-z]{38}$/],
  ] as const)('of a %s key looks like %s', (kind, shape) => {
    expect(newSecret(kind)).toMatch(shape);
  });

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newSecret('user'))).size).toBe(1000);
  });

  it('ends in the CRC-32 of what comes before, in base62', () => {
    // 366384594 = 24·62⁴ + 49·62³ + 19·62² + 22·62 + 58.
    expect(newSecret('consumer', () => 0)).toBe(`jlc_${'0'.repeat(32)}0OnJMw`);
  });

  it('chooses evenly among 62 characters', () => {
    const limits: number[] = [];
    newSecret('user', (max) => {
      limits.push(max);
      return max - 1;
    });
    expect(limits).toEqual(Array.from({ length: 32 }, () => 62));
  });
});

describe('checkSecret', () => {
  it('knows what newSecret makes', () => {
    expect(checkSecret(newSecret('consumer'))).toBe('consumer');
    expect(checkSecret(newSecret('user'))).toBe('user');
  });

  const good = newSecret('consumer', () => 7);
  it.each([
    ['nothing', ''],
    ['another prefix', `xyz_${good.slice(4)}`],
    ['the other prefix', `jlu_${good.slice(4)}`],
    ['one character changed', `${good.slice(0, 20)}Z${good.slice(21)}`],
    ['two characters swapped', `${good.slice(0, 4)}${good.at(-1)}${good.slice(5, -1)}${good.at(4)}`],
    ['a character less', good.slice(0, -1)],
    ['a character more', `${good}0`],
    ['a line break', `${good}\n`],
    ['a sign that is not base62', `${good.slice(0, 20)}-${good.slice(21)}`],
  ])('does not take %s', (_what, text) => {
    expect(checkSecret(text)).toBeUndefined();
  });
});
