import { Counter, type Histogram, type Registry } from 'prom-client';

// For what is counted with every request: prom-client looks at the labels each time, which costs ten times as much as
// counting does. Here each series is looked up once.

interface Named {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** A counter whose series each count one at a time. `labels` are in the order of the names. */
export function countSeries(registry: Registry, { name, help, labelNames = [] }: Named) {
  const all: { readonly labels: readonly string[]; waiting: number }[] = [];
  const counter = new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect: () => {
      for (const series of all) {
        counter.labels(...series.labels).inc(series.waiting);
        series.waiting = 0;
      }
    },
  });

  return (...labels: readonly string[]): (() => void) => {
    const series = { labels, waiting: 0 };
    all.push(series);
    return () => void series.waiting++;
  };
}

interface Durations {
  readonly labels: Readonly<Record<string, string>>;
  /** Of each bound, those that are in no lower one. */
  readonly within: number[];
  count: number;
  sum: number;
}

/**
 * A histogram of durations, in seconds. Each series is to be asked for once: `labels` are in the order of the names.
 * @param bounds of the buckets, from the lowest
 */
export function durationSeries(
  registry: Registry,
  { name, help, labelNames = [] }: Named,
  bounds: readonly number[],
) {
  const all: Durations[] = [];

  const valuesOf = ({ labels, within, count, sum }: Durations) => {
    let below = 0;
    const buckets = bounds.map((le, place) => ({ le, value: (below += within[place] ?? 0) }));
    return [
      ...[...buckets, { le: '+Inf', value: count }].map(({ le, value }) => ({
        metricName: `${name}_bucket`,
        labels: { le, ...labels },
        value,
      })),
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  };
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: all.flatMap(valuesOf),
  });
  // A registry asks no more of a metric than this.
  registry.registerMetric({ name, get } as unknown as Histogram);

  return (...values: readonly string[]): ((seconds: number) => void) => {
    const labels = Object.fromEntries(labelNames.map((label, place) => [label, values[place] ?? '']));
    const series: Durations = { labels, within: bounds.map(() => 0), count: 0, sum: 0 };
    all.push(series);
    return (seconds) => {
      series.count++;
      series.sum += seconds;
      const place = bounds.findIndex((bound) => seconds <= bound);
      if (place >= 0) series.within[place] = (series.within[place] ?? 0) + 1;
    };
  };
}
