import { parseArgs } from 'node:util';
import { full, quick, type Sizes } from './sizes.ts';

export interface Options {
  readonly sizes: Sizes;
  /** What to measure, in the order in which it runs. */
  readonly names: readonly string[];
  readonly sweep: boolean;
  /** Where tables, JSON and charts go. */
  readonly out: string;
  readonly postingsFile: string | undefined;
}

/** Reads the command line. @throws Error that says what is wrong with it. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      out: { type: 'string', default: '.data/bench' },
      sweep: { type: 'boolean', default: false },
      postings: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
    },
  });
  const { out, sweep, postings: postingsFile } = values;
  const base = values.quick ? quick : full;
  const measureMs = positive('seconds', values.seconds, base.measureMs / 1000) * 1000;
  const rounds = Math.ceil(positive('rounds', values.rounds, base.rounds));
  const names = (values.only?.split(',') ?? known).filter((name) => name !== '');
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`--only: no ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  }
  return {
    sizes: { ...base, measureMs, rounds },
    names: known.filter((name) => names.includes(name)),
    sweep,
    out,
    postingsFile,
  };
}

function positive(option: string, value: string | undefined, otherwise: number): number {
  const number = value === undefined ? otherwise : Number(value);
  if (!(number > 0)) throw new Error(`--${option} takes a number above 0.`);
  return number;
}
