import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from '../batching.ts';

export interface Reading {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}
type Readings = number | readonly Reading[];

/** A metric's name and meaning. Its labels have few values: no ids, no paths, nothing that a client chooses. */
export interface Described {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Buckets in seconds: from a read from memory to past the longest deadline. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** A source that hangs must not delay all the others. */
const READ_LIMIT_MS = 1500;

/** The metrics of one service: a registry of its own, which the health port serves as `/metrics`. */
export function createMetrics() {
  const registry = new Registry();
  const configOf = ({ name, help, labelNames = [] }: Described) => ({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
  });

  return {
    registry,

    counter: (described: Described) => new Counter(configOf(described)),

    /** Of durations, in seconds. */
    histogram: (described: Described) => new Histogram({ ...configOf(described), buckets: DURATIONS }),

    /**
     * A value, or one for each set of labels, that is read at each scrape. If it cannot be read, the metric is left out
     * of that scrape.
     */
    gauge: (described: Described, read: () => Readings | Promise<Readings>): void => {
      const gauge = new Gauge({
        ...configOf(described),
        collect: async () => {
          const readings = await withTimeout(Promise.resolve().then(read), READ_LIMIT_MS).catch(
            (): Readings => [],
          );
          const all = typeof readings === 'number' ? [{ value: readings }] : readings;
          gauge.reset();
          if (all.length === 0 && !described.labelNames) gauge.remove({});
          for (const { labels = {}, value } of all) gauge.set(labels, value);
        },
      });
    },
  };
}
