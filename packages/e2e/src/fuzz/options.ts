import { parseArgs } from 'node:util';

export interface FuzzOptions {
  /** Maximum number of test cases per operation and phase. */
  readonly maxExamples: number;
  /** Time limit of the fuzzing and stateful phases; undefined: no limit. */
  readonly maxSeconds: number | undefined;
  readonly seed: number;
}

const small = { maxExamples: 15, maxSeconds: undefined };
const full = { maxExamples: 200, maxSeconds: 1200 };

/** Reads the command line. Small runs have a fixed seed, so that CI does not fail by chance. */
export function readFuzzOptions(args: readonly string[], newSeed: () => number): FuzzOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { full: { type: 'boolean', default: false }, seed: { type: 'string' } },
  });
  const seed = values.seed === undefined ? (values.full ? newSeed() : 1) : Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0) throw new Error('--seed takes a whole number from 0.');
  return { ...(values.full ? full : small), seed };
}
