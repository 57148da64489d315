import { least, most, sum } from '@joblisting/testing';
import type { Variant, Round } from './variants.ts';

/** The cost of a variant: the best round of each figure, because disturbances only make a round slower. */
export interface VariantFigures {
  readonly variant: string;
  /** The variant that its ratios refer to; undefined: the first one. */
  readonly reference: string | undefined;
  readonly connections: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of CPU per request: serving processes together, MongoDB, NATS, the load itself. */
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
}

export function figuresOf(
  { name, reference, connections, serving }: Variant,
  rounds: readonly Round[],
): VariantFigures {
  const of = (group: string): number => least(rounds, ({ cpu }) => cpu[group] ?? 0);
  const last = rounds.at(-1);
  return {
    variant: name,
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
