import { describe, expect, it } from '@jest/globals';
import { parseMegabytes, parseStat } from './processes.ts';

const rest = 'S 419 12933 419 0 -1 4194304 100 0 0 0 250 50 7 9 20 0 1 0 2294068 3133440 383';

describe('parseStat', () => {
  it.each([
    ['cat', 'cat'],
    ['node (1) x', 'node (1) x'],
    ['a) S 1 2', 'a) S 1 2'],
  ])('reads name, parent and times of "%s"', (name, expected) => {
    expect(parseStat(`12936 (${name}) ${rest}`, 100)).toEqual({
      name: expected,
      parent: 419,
      cpuMicros: 3_000_000,
    });
  });
});

describe('parseMegabytes', () => {
  const text = 'Name:\tnode\nVmHWM:\t  4096 kB\nVmRSS:\t  2048 kB\n';

  it.each([
    ['VmRSS', 2],
    ['VmHWM', 4],
    ['Pss', 0],
  ])('reads %s', (name, expected) => {
    expect(parseMegabytes(text, name)).toBe(expected);
  });
});
