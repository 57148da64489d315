import { setTimeout as delay } from 'node:timers/promises';
import { waitFor, showQuantiles, tally } from '@joblisting/testing';
import { type Figure, note } from './figures.ts';
import type { Random } from './random.ts';

/** A process that can be killed with `kill -9` and started again. */
export interface Victim {
  readonly name: string;
  readonly kill: () => void | Promise<void>;
  readonly restart: () => Promise<void>;
}

export interface KillResult {
  /** Milliseconds from each restart until the next success of the load. */
  readonly recoveries: readonly number[];
  /** Time of the last kill (`performance.now()`). */
  readonly lastKillAt: number;
}

export interface KillOptions {
  readonly random: Random;
  /** Grows with every success of the load. */
  readonly progress: () => number;
  readonly say: (line: string) => void;
  /** The error that ended the load, which ends the kills too. */
  readonly failure: () => unknown;
}

const MAX_UPTIME_MS = 500;
const MAX_DOWNTIME_MS = 400;
const RECOVERY_LIMIT_MS = 30_000;

/** Kills one victim after another at random times, restarts each and waits until the load succeeds again. */
export async function killOneByOne(victims: readonly Victim[], killing: KillOptions): Promise<KillResult> {
  const { random, progress, say, failure } = killing;
  const recoveries: number[] = [];
  let lastKillAt = performance.now();
  for (const [index, victim] of victims.entries()) {
    await delay(random.whole(50, MAX_UPTIME_MS));
    lastKillAt = performance.now();
    await victim.kill();
    await delay(random.whole(0, MAX_DOWNTIME_MS));
    await victim.restart();
    const readyAt = performance.now();
    const before = progress();
    await waitFor(() => progress() > before || failure() !== undefined, {
      limitMs: RECOVERY_LIMIT_MS,
      what: `the load to continue after the kill of ${victim.name}`,
    });
    if (failure() !== undefined) throw failure();
    recoveries.push(performance.now() - readyAt);
    if ((index + 1) % 10 === 0) say(`${index + 1} of ${victims.length} kills, ${progress()} successes`);
  }
  return { recoveries, lastKillAt };
}

/** Each victim so many times, in random order. */
export const timesEach = (victims: readonly Victim[], times: number, random: Random): Victim[] =>
  random.shuffle(victims.flatMap((victim) => Array.from({ length: times }, () => victim)));

/** Allows a part of the work with each restart, so that it lasts until the last kill. */
export function allowedByRestarts(victims: readonly Victim[], total: number) {
  let restarts = 0;
  return {
    /** How much of the work may be done by now. */
    allowed: (): number => (total * (restarts + 1)) / (victims.length + 1),
    kills: victims.map((victim): Victim => ({
      ...victim,
      restart: async () => {
        await victim.restart();
        restarts += 1;
      },
    })),
  };
}

/** How often each victim was killed, as text. */
export const killsOf = (victims: readonly Victim[]): string => tally(victims.map(({ name }) => name));

export const recoveryNote = ({ recoveries }: KillResult): Figure =>
  note('Recovery after a kill, median and worst', showQuantiles(recoveries, [0.5, 1]));
