import { parseArgs } from 'node:util';
import type { Scale } from './experiment.ts';

export interface Options {
  readonly scale: Scale;
  readonly only: readonly string[];
  readonly seed: number;
  readonly soakMinutes: number;
}

/** Reads the command line. @throws Error that says what is wrong with it. */
export function readOptions(
  args: readonly string[],
  names: readonly string[],
  newSeed: () => number,
): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scale: { type: 'string', default: 'full' },
      only: { type: 'string' },
      seed: { type: 'string' },
      'soak-minutes': { type: 'string' },
    },
  });
  const { scale } = values;
  if (scale !== 'full' && scale !== 'ci') throw new Error(`--scale is "${scale}": it takes full or ci.`);
  const only = values.only?.split(',') ?? names;
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`--only: no ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  const seed = values.seed === undefined ? newSeed() : Number(values.seed);
  if (!Number.isInteger(seed)) throw new Error('--seed takes a whole number.');
  const soakMinutes = Number(values['soak-minutes'] ?? (scale === 'full' ? 30 : 0.2));
  if (!(soakMinutes > 0)) throw new Error('--soak-minutes takes a number above 0.');
  return { scale, only, seed, soakMinutes };
}
