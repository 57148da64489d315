import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { countSeries, durationSeries } from './series.ts';

export interface Reading {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a metric is called and means. Its labels take few values: no ids, no paths, nothing that a client names. */
export interface Described {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

export type Metrics = ReturnType<typeof createMetrics>;

/** From what a read out of memory takes to past the longest deadline, in seconds. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** One source that hangs must not cost the scraper all the others. */
const READ_LIMIT_MS = 1500;

/** The metrics of one service in the form that Prometheus takes: `/metrics` on the health port. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];

  return {
    counter: (described: Described) =>
      new Counter({ ...described, labelNames: labelsOf(described), registers }),

    /** Of durations, in seconds. */
    histogram: (described: Described) =>
      new Histogram({ ...described, labelNames: labelsOf(described), buckets: DURATIONS, registers }),

    /** A counter and a histogram of durations, in seconds, for what is noted with every request. */
    countSeries: (described: Described) => countSeries(registry, described),
    durationSeries: (described: Described) => durationSeries(registry, described, DURATIONS),

    /**
     * A value, or one for each set of labels, that is read whenever somebody asks. Where it cannot be read, the
     * metric is left out of that answer.
     */
    gauge: (described: Described, read: () => Readings | Promise<Readings>): void => {
      const gauge = new Gauge({
        ...described,
        labelNames: labelsOf(described),
        registers,
        collect: async () => {
          const readings = await inTime(read).catch(() => []);
          gauge.reset();
          if (labelsOf(described).length === 0 && readings.length === 0) gauge.remove({});
          for (const { labels = {}, value } of readings) gauge.set(labels, value);
        },
      });
    },

    /** Registers what a library of its own measures. */
    registry,
  };
}

type Readings = number | readonly Reading[];

const labelsOf = ({ labelNames = [] }: Described): string[] => [...labelNames];

async function inTime(read: () => Readings | Promise<Readings>): Promise<readonly Reading[]> {
  const done = new AbortController();
  const late = delay(READ_LIMIT_MS, [], { ref: false, signal: done.signal });
  late.catch(() => undefined);
  try {
    const readings = await Promise.race([read(), late]);
    return typeof readings === 'number' ? [{ value: readings }] : readings;
  } finally {
    done.abort();
  }
}
