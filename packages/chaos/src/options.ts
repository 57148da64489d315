import { parseArgs } from 'node:util';
import type { Scale } from './figures.ts';

export interface Options {
  readonly scale: Scale;
  /** The experiments, in the order in which they run. */
  readonly names: readonly string[];
  readonly seed: number;
  readonly soakMinutes: number;
  readonly obeyMinutes: number;
  readonly markdown: boolean;
}

const SOAK_MINUTES = { ci: 0.1, full: 30 };
const OBEY_MINUTES = { ci: 0.1, full: 10 };

/**
 * Reads the command line.
 * @param onlyNamed experiments that run at ci scale only if --only names them
 * @throws Error that names the wrong option.
 */
export function readOptions(
  args: readonly string[],
  known: readonly string[],
  newSeed: () => number,
  onlyNamed: readonly string[] = [],
): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scale: { type: 'string', default: 'full' },
      only: { type: 'string' },
      skip: { type: 'string', default: '' },
      seed: { type: 'string' },
      'soak-minutes': { type: 'string' },
      'obey-minutes': { type: 'string' },
      markdown: { type: 'boolean', default: false },
    },
  });
  const { scale, markdown } = values;
  if (scale !== 'full' && scale !== 'ci') throw new Error(`--scale is "${scale}": it must be full or ci.`);
  const byDefault = scale === 'ci' ? known.filter((name) => !onlyNamed.includes(name)) : known;
  const only = values.only === undefined ? byDefault : listed('only', values.only, known);
  const skip = listed('skip', values.skip, known);
  const seed = values.seed === undefined ? newSeed() : Number(values.seed);
  if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number.');
  return {
    scale,
    names: known.filter((name) => only.includes(name) && !skip.includes(name)),
    seed,
    soakMinutes: minutes('soak-minutes', values['soak-minutes'], SOAK_MINUTES[scale]),
    obeyMinutes: minutes('obey-minutes', values['obey-minutes'], OBEY_MINUTES[scale]),
    markdown,
  };
}

function listed(option: string, value: string, known: readonly string[]): string[] {
  const names = value.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`--${option}: unknown ${unknown.join(', ')}; known are ${known.join(', ')}.`);
  }
  return names;
}

function minutes(option: string, value: string | undefined, byDefault: number): number {
  const number = value === undefined ? byDefault : Number(value);
  if (!(number > 0)) throw new Error(`--${option} must be a number above 0.`);
  return number;
}
