import { quantile, sum } from '@joblisting/testing';
import { closedLoop, type Load, type LoadResult } from '../load/closed-loop.ts';
import { type ByGroup, cpuSoFar, type Group, memoryNow, used } from './processes.ts';

/** One of the loads that a scenario compares: the product, the baseline, a larger company. */
export interface Variant extends Load {
  readonly name: string;
  /** The groups whose CPU is the cost of a request, besides MongoDB and NATS. */
  readonly serving: readonly string[];
  /** The variant to which its ratios are; the first one by default. */
  readonly reference?: string;
}

/** The result of one variant in one round. */
export interface Round {
  readonly requests: number;
  /** Answers with another status than expected. */
  readonly wrong: readonly (readonly [status: number, count: number])[];
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU per request, by group. */
  readonly cpu: ByGroup;
  readonly memory: ByGroup;
}

export interface Timing {
  readonly rounds: number;
  readonly measureMs: number;
  readonly warmUpMs: number;
  /** Turns per round, 1 by default: the variants alternate, so that other work on the machine affects all of them. */
  readonly turns?: number;
}

/** One run of a variant: times of requests in milliseconds, CPU in microseconds. */
interface Turn extends LoadResult {
  readonly cpu: ByGroup;
  readonly memory: ByGroup;
}

/** Warms every variant up, then runs all of them in each turn of each round, in a rotating order. */
export async function measureVariants(
  variants: readonly Variant[],
  groups: readonly Group[],
  { rounds, measureMs, warmUpMs, turns = 1 }: Timing,
): Promise<ReadonlyMap<Variant, readonly Round[]>> {
  const results = new Map<Variant, Round[]>(variants.map((variant) => [variant, []]));
  for (const variant of variants) await measureOnce(variant, groups, warmUpMs);
  for (let round = 0; round < rounds; round++) {
    const measured = new Map<Variant, Turn[]>(variants.map((variant) => [variant, []]));
    for (let turn = 0; turn < turns; turn++) {
      const first = (round + turn) % variants.length;
      for (const variant of [...variants.slice(first), ...variants.slice(0, first)]) {
        measured.get(variant)?.push(await measureOnce(variant, groups, measureMs / turns));
      }
    }
    for (const [variant, turnsOf] of measured) results.get(variant)?.push(roundOf(turnsOf));
  }
  return results;
}

async function measureOnce(variant: Variant, groups: readonly Group[], ms: number): Promise<Turn> {
  let before: ByGroup = {};
  let after: ByGroup = {};
  const result = await closedLoop(variant, ms, () => {
    before = cpuSoFar(groups);
    return () => {
      after = cpuSoFar(groups);
    };
  });
  return { ...result, cpu: used(before, after), memory: memoryNow(groups) };
}

/** Adds up the turns of a round. */
export function roundOf(turns: readonly Turn[]): Round {
  const requests = sum(turns.map((turn) => turn.requests));
  const times = turns.flatMap((turn) => turn.times);
  const last = turns.at(-1);
  const cpuOf = (group: string) => sum(turns.map(({ cpu }) => cpu[group] ?? 0)) / requests;
  return {
    requests,
    wrong: turns.flatMap(({ wrong }) => [...wrong]),
    perSecond: requests / sum(turns.map(({ seconds }) => seconds)),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpu: Object.fromEntries(Object.keys(last?.cpu ?? {}).map((group) => [group, cpuOf(group)])),
    memory: last?.memory ?? {},
  };
}
