import { parseArgs } from 'node:util';
import { full, quick, type Sizes } from './sizes.ts';
import type { SweepOptions } from './sweep/sweep.ts';

export interface Options {
  readonly sizes: Sizes;
  /** The scenarios, in the order in which they run. */
  readonly names: readonly string[];
  /** A sweep, instead of the scenarios. */
  readonly sweep: SweepOptions | undefined;
  /** Directory of the report. */
  readonly out: string;
  readonly postingsFile: string | undefined;
}

const SWEEP = { jobs: [1000, 10_000, 100_000, 1_000_000], replicas: [1, 2, 3] };
const QUICK_SWEEP = { jobs: [1000, 10_000], replicas: [1, 2] };
/** Fewer jobs would leave companies without any. */
const LEAST_JOBS = 1000;

/** Reads the command line. @throws Error that names the wrong option. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      out: { type: 'string', default: '.data/bench' },
      sweep: { type: 'boolean', default: false },
      postings: { type: 'string' },
      jobs: { type: 'string' },
      replicas: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
    },
  });
  const { out, postings: postingsFile } = values;
  const base = values.quick ? quick : full;
  const measureMs = positive('seconds', values.seconds, base.measureMs / 1000) * 1000;
  const rounds = Math.ceil(positive('rounds', values.rounds, base.rounds));
  const names = (values.only?.split(',') ?? known).filter((name) => name !== '');
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`--only: unknown ${unknown.join(', ')}; known are ${known.join(', ')}.`);
  }
  const sizes = { ...base, measureMs, rounds };
  const jobs = wholes('jobs', values.jobs, values.quick ? QUICK_SWEEP.jobs : SWEEP.jobs, LEAST_JOBS);
  const replicas = wholes(
    'replicas',
    values.replicas,
    values.quick ? QUICK_SWEEP.replicas : SWEEP.replicas,
    1,
  );
  return {
    sizes,
    names: known.filter((name) => names.includes(name)),
    sweep: values.sweep ? { sizes, jobs, replicas } : undefined,
    out,
    postingsFile,
  };
}

function positive(option: string, value: string | undefined, otherwise: number): number {
  const number = value === undefined ? otherwise : Number(value);
  if (!(number > 0)) throw new Error(`--${option} must be a number above 0.`);
  return number;
}

function wholes(
  option: string,
  value: string | undefined,
  otherwise: readonly number[],
  least: number,
): readonly number[] {
  const numbers = value?.split(',').map(Number) ?? otherwise;
  if (!numbers.every((number) => Number.isInteger(number) && number >= least)) {
    throw new Error(`--${option} must be whole numbers from ${least}, separated by commas.`);
  }
  return numbers;
}
