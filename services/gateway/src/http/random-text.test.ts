import { describe, expect, it } from '@jest/globals';
import { randomText } from './random-text.ts';

describe('randomText', () => {
  it.each([
    ['hex', /^[0-9a-f]{24}$/],
    ['base64url', /^[\w-]{16}$/],
  ] as const)('in %s is never the same twice, across many pools', (encoding, form) => {
    const drawn = Array.from({ length: 5000 }, () => randomText(12, encoding));
    expect(new Set(drawn).size).toBe(5000);
    expect(drawn.every((text) => form.test(text))).toBe(true);
  });
});
