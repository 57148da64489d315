import { closedLoop, type Load, type Loaded } from '../load/closed-loop.ts';
import { quantile, sum } from '../statistics.ts';
import { type ByGroup, cpuSoFar, type Group, memoryNow, used } from './account.ts';

/** One of the things that a scenario measures side by side: the product, the baseline, a larger company. */
export interface Arm extends Load {
  readonly name: string;
  /** The groups whose CPU is the cost of a request besides MongoDB's and NATS's. */
  readonly serving: readonly string[];
  /** The arm that its ratios are to; the first one where nothing is said. */
  readonly reference?: string;
  /** Goes on while the arm is measured; its CPU is counted to the arm's requests. */
  readonly meanwhile?: () => { readonly stop: () => Promise<void> };
}

/** What one arm did in one round. */
export interface Round {
  readonly requests: number;
  readonly wrong: readonly (readonly [status: number, count: number])[];
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU for each request, by group. */
  readonly cpu: ByGroup;
  readonly memory: ByGroup;
}

export interface Timing {
  readonly rounds: number;
  readonly measureMs: number;
  readonly warmUpMs: number;
  /** The parts of a round, 1 by default: in each of them every arm runs once, for as much less time. */
  readonly parts?: number;
}

/** One run of an arm: its times of requests in milliseconds, its CPU in microseconds. */
interface Part extends Loaded {
  readonly cpu: ByGroup;
  readonly memory: ByGroup;
}

/** Runs every arm once for warmth, then all of them in each part of each round, in an order that turns. */
export async function measureArms(
  arms: readonly Arm[],
  groups: readonly Group[],
  { rounds, measureMs, warmUpMs, parts = 1 }: Timing,
): Promise<ReadonlyMap<Arm, readonly Round[]>> {
  const results = new Map<Arm, Round[]>(arms.map((arm) => [arm, []]));
  for (const arm of arms) await measureOnce(arm, groups, warmUpMs);
  for (let round = 0; round < rounds; round++) {
    const measured = new Map<Arm, Part[]>(arms.map((arm) => [arm, []]));
    for (let part = 0; part < parts; part++) {
      const turn = (round + part) % arms.length;
      for (const arm of [...arms.slice(turn), ...arms.slice(0, turn)]) {
        measured.get(arm)?.push(await measureOnce(arm, groups, measureMs / parts));
      }
    }
    for (const [arm, itsParts] of measured) results.get(arm)?.push(roundOf(itsParts));
  }
  return results;
}

/** Runs the arm once, with what goes on meanwhile. @param begin as for the load */
export async function underLoad(arm: Arm, ms: number, begin?: () => () => void): Promise<Loaded> {
  const meanwhile = arm.meanwhile?.();
  try {
    return await closedLoop(arm, ms, begin);
  } finally {
    await meanwhile?.stop();
  }
}

async function measureOnce(arm: Arm, groups: readonly Group[], ms: number): Promise<Part> {
  let before: ByGroup = {};
  let after: ByGroup = {};
  const loaded = await underLoad(arm, ms, () => {
    before = cpuSoFar(groups);
    return () => {
      after = cpuSoFar(groups);
    };
  });
  return { ...loaded, cpu: used(before, after), memory: memoryNow(groups) };
}

/** What the parts of a round say together. */
export function roundOf(parts: readonly Part[]): Round {
  const requests = sum(parts.map((part) => part.requests));
  const times = parts.flatMap((part) => part.times);
  const last = parts.at(-1);
  const groups = Object.keys(last?.cpu ?? {});
  const cpuOf = (group: string) => sum(parts.map(({ cpu }) => cpu[group] ?? 0)) / requests;
  return {
    requests,
    wrong: parts.flatMap(({ wrong }) => [...wrong]),
    perSecond: requests / sum(parts.map(({ seconds }) => seconds)),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    cpu: Object.fromEntries(groups.map((group) => [group, cpuOf(group)])),
    memory: last?.memory ?? {},
  };
}
