import type { JobMetrics, MetricsEvent } from '@joblisting/contracts';
import type { Random } from '../random.ts';
import type { Header } from './jobs.ts';

const types = ['view', 'application', 'clickThrough'] as const;
/** More than the series of a job tells apart. */
const SOURCES = 60;

export const makeEvent = (random: Random, id: string, jobIds: readonly number[]): MetricsEvent => ({
  id,
  jobId: random.pick(jobIds),
  type: random.pick(types),
  ...(random.chance(0.5) && { source: `source-${random.whole(1, SOURCES)}` }),
});

/** Splits the events into batches, with every twentieth event in two of them. */
export function batchesOf(random: Random, events: readonly MetricsEvent[], size: number): MetricsEvent[][] {
  const repeated = events.filter(() => random.chance(0.05));
  const all = random.shuffle([...events, ...repeated]);
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** The expected counts by `<job id> <type>`. */
export function totalsOf(events: readonly MetricsEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { jobId, type } of events) {
    counts.set(`${jobId} ${type}`, (counts.get(`${jobId} ${type}`) ?? 0) + 1);
  }
  return counts;
}

/** The counts of these jobs that are wrong. */
export function compareCounts(
  expected: ReadonlyMap<string, number>,
  jobs: readonly Pick<Header, 'id' | 'viewCount' | 'applicationCount' | 'clickThroughCount'>[],
): string[] {
  return jobs.flatMap(({ id, viewCount, applicationCount, clickThroughCount }) =>
    Object.entries({ view: viewCount, application: applicationCount, clickThrough: clickThroughCount })
      .filter(([type, count]) => count !== (expected.get(`${id} ${type}`) ?? 0))
      .map(([type, count]) => `job ${id} ${type} ${count}, not ${expected.get(`${id} ${type}`) ?? 0}`),
  );
}

/** What is wrong with the series of a job: its rows must add up to the expected counts, with nothing outside of it. */
export function compareSeries(
  expected: ReadonlyMap<string, number>,
  jobId: number,
  { series, outside }: Pick<JobMetrics, 'series' | 'outside'>,
): string[] {
  const names = { view: 'views', application: 'applications', clickThrough: 'clickThroughs' } as const;
  return types.flatMap((type) => {
    const name = names[type];
    const wanted = expected.get(`${jobId} ${type}`) ?? 0;
    const inside = series.reduce((sum, row) => sum + row[name], 0);
    if (inside === wanted && outside[name] === 0) return [];
    return [`job ${jobId} ${name} ${inside} in rows and ${outside[name]} outside, not ${wanted} in rows`];
  });
}
