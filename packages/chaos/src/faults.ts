import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@joblisting/testing';
import { type Figure, note } from './figures.ts';
import type { Random } from './random.ts';
import { quantile, tally } from './statistics.ts';

/** Something that can be killed with `kill -9` and started again. */
export interface Victim {
  readonly name: string;
  readonly kill: () => void | Promise<void>;
  readonly restart: () => Promise<void>;
}

export interface Killed {
  /** How long the load needed to go on each time, in milliseconds from the restarted process being ready. */
  readonly recoveries: readonly number[];
  /** When the last one was killed (`performance.now()`). */
  readonly lastKillAt: number;
}

export interface Killing {
  readonly random: Random;
  /** Grows with every success of the load: a kill counts as survived once it does so again. */
  readonly progress: () => number;
  readonly say: (line: string) => void;
  /** Ends the killing early: the load has failed. */
  readonly failure: () => unknown;
}

const LONGEST_LIFE_MS = 500;
const LONGEST_DEATH_MS = 400;
const RECOVERY_LIMIT_MS = 30_000;

/** Kills one after the other at moments of its own, starts each again and waits until the load goes on. */
export async function killInTurn(victims: readonly Victim[], killing: Killing): Promise<Killed> {
  const { random, progress, say, failure } = killing;
  const recoveries: number[] = [];
  let lastKillAt = performance.now();
  for (const [index, victim] of victims.entries()) {
    await delay(random.whole(50, LONGEST_LIFE_MS));
    lastKillAt = performance.now();
    await victim.kill();
    await delay(random.whole(0, LONGEST_DEATH_MS));
    await victim.restart();
    const readyAt = performance.now();
    const before = progress();
    await waitFor(() => progress() > before || failure() !== undefined, {
      limitMs: RECOVERY_LIMIT_MS,
      what: `the load to go on after the kill of ${victim.name}`,
    });
    if (failure() !== undefined) throw failure();
    recoveries.push(performance.now() - readyAt);
    if ((index + 1) % 10 === 0) say(`${index + 1} of ${victims.length} kills, ${progress()} successes`);
  }
  return { recoveries, lastKillAt };
}

/** Each victim as often as said, in an order of chance. */
export const timesEach = (victims: readonly Victim[], times: number, random: Random): Victim[] =>
  random.shuffle(victims.flatMap((victim) => Array.from({ length: times }, () => victim)));

/** How often each was killed. */
export const killsOf = (victims: readonly Victim[]): string => tally(victims.map(({ name }) => name));

/** How fast the load went on. */
export const recoveryNote = ({ recoveries }: Killed): Figure =>
  note(
    'Recovery after a kill, median and worst',
    [0.5, 1].map((part) => `${quantile(recoveries, part).toFixed(0)} ms`).join(', '),
  );
