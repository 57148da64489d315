import { randomFrom } from '@joblisting/testing';
import { describe, expect, it } from '@jest/globals';
import { description, sentence } from './texts.ts';

describe('texts', () => {
  it('repeat for a seed', () => {
    expect(description(randomFrom(7), 'html', 900)).toBe(description(randomFrom(7), 'html', 900));
    expect(description(randomFrom(7), 'html', 900)).not.toBe(description(randomFrom(8), 'html', 900));
  });

  it.each(['text', 'html'] as const)('have about the requested length (%s)', (format) => {
    const { length } = description(randomFrom(1), format, 1500);
    expect(length).toBeGreaterThanOrEqual(1500);
    expect(length).toBeLessThan(2000);
  });

  it('have tags in HTML only', () => {
    expect(description(randomFrom(2), 'text', 500)).not.toContain('<');
    expect(description(randomFrom(2), 'html', 500)).toMatch(/<a href="https:[^"]+">/);
  });

  it('consist of sentences', () => {
    expect(sentence(randomFrom(3))).toMatch(/^[A-Z][a-z ]+\.$/);
  });
});
