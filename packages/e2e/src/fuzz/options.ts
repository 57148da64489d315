import { parseArgs } from 'node:util';

export interface FuzzOptions {
  /** Test cases for each operation and phase, at most. */
  readonly maxExamples: number;
  /** When fuzzing and sequences of calls stop at the latest; undefined: after `maxExamples`. */
  readonly maxSeconds: number | undefined;
  readonly seed: number;
}

const small = { maxExamples: 15, maxSeconds: undefined };
const full = { maxExamples: 200, maxSeconds: 1200 };

/**
 * Reads the command line. Small runs take the same seed each time, so that CI does not fail by chance.
 * @throws Error that says what is wrong with it.
 */
export function readFuzzOptions(args: readonly string[], newSeed: () => number): FuzzOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { full: { type: 'boolean', default: false }, seed: { type: 'string' } },
  });
  const seed = values.seed === undefined ? (values.full ? newSeed() : 1) : Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0) throw new Error('--seed takes a whole number from 0.');
  return { ...(values.full ? full : small), seed };
}
