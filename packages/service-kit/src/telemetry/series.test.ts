import { describe, expect, it } from '@jest/globals';
import { Counter, Histogram, Registry } from 'prom-client';
import { countSeries, durationSeries } from './series.ts';

const described = { name: 'x', help: 'What it is.', labelNames: ['method', 'route'] };
const labels = [
  ['GET', '/jobs'],
  ['GET', '/jobs/{id}'],
] as const;

describe('series', () => {
  it('of counters read as those of prom-client, however often they are read', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const counter = new Counter({ ...described, registers: [theirs] });
    const series = countSeries(ours, described);
    const counts = labels.map((each) => ({ count: series(...each), theirs: counter.labels(...each) }));
    for (let turn = 0; turn < 3; turn++) {
      for (const each of counts) {
        each.count();
        each.theirs.inc();
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
    }
  });

  it('of durations read as those of prom-client', async () => {
    const bounds = [0.001, 0.1, 1];
    const [ours, theirs] = [new Registry(), new Registry()];
    const histogram = new Histogram({ ...described, buckets: bounds, registers: [theirs] });
    const series = durationSeries(ours, described, bounds);
    for (const each of labels) {
      const observe = series(...each);
      for (const seconds of [0, 0.001, 0.0011, 0.1, 0.5, 1, 3]) {
        observe(seconds);
        histogram.labels(...each).observe(seconds);
      }
    }
    expect(await ours.metrics()).toBe(await theirs.metrics());
  });
});
