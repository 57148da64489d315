import type { ProcessProfile } from '../profile/parts.ts';
import { least, most, sum } from '../statistics.ts';
import type { Arm, Round } from './arms.ts';

/** What an arm costs: of each figure the best of its rounds. */
export interface ArmFigures {
  readonly arm: string;
  /** The arm that its ratios are to; undefined: the first one. */
  readonly reference: string | undefined;
  readonly connections: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU for each request: of the serving processes together, of MongoDB, of NATS, of the load itself. */
  readonly services: number;
  readonly mongod: number;
  readonly nats: number;
  readonly load: number;
  /** Of each serving process. */
  readonly each: Readonly<Record<string, number>>;
  /** Resident memory of each serving process at the end of the last round, in MB. */
  readonly memory: Readonly<Record<string, number>>;
  /** Requests of all rounds with another answer than expected. */
  readonly wrong: number;
  /** Of its processes, where profiles were asked for. */
  readonly profiles?: readonly ProcessProfile[];
}

export function figuresOf(
  { name, reference, connections, serving }: Arm,
  rounds: readonly Round[],
): ArmFigures {
  const of = (group: string): number => least(rounds, ({ cpu }) => cpu[group] ?? 0);
  const last = rounds.at(-1);
  return {
    arm: name,
    reference,
    connections,
    perSecond: most(rounds, ({ perSecond }) => perSecond),
    p50: least(rounds, ({ p50 }) => p50),
    p99: least(rounds, ({ p99 }) => p99),
    services: least(rounds, ({ cpu }) => sum(serving.map((group) => cpu[group] ?? 0))),
    mongod: of('mongod'),
    nats: of('nats-server'),
    load: of('load'),
    each: Object.fromEntries(serving.map((group) => [group, of(group)])),
    memory: Object.fromEntries(serving.map((group) => [group, last?.memory[group] ?? 0])),
    wrong: sum(rounds.flatMap(({ wrong }) => wrong.map(([, count]) => count))),
  };
}
