import { type MetricsEvent, OTHER_SOURCE } from '@joblisting/contracts';
import type { JobCounts } from './tally.ts';

/** What happened to a job on one day (`YYYY-MM-DD`, UTC), by one source. */
export interface DayCounts extends JobCounts {
  readonly day: string;
  readonly source: string | null;
}

/** The sources of each job that the series tells apart. */
export type Sources = ReadonlyMap<number, readonly string[]>;

/** The most sources of a job, so that no sender can grow its series without bound. */
export const SOURCES_MAX = 50;

const DAY_MS = 24 * 3600_000;
/** An older instant comes from a wrong clock, or the event would change days that were long read. */
const BELIEVED_MS = 7 * DAY_MS;

/** The UTC day of an instant in epoch ms. */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The day of an event that says when it happened: that day if it can be believed, else the one of `now`. */
export function dayOf(at: string, now: number): string {
  const sent = Date.parse(at);
  return utcDay(sent <= now && now - sent <= BELIEVED_MS ? sent : now);
}

/** The jobs of events that name a source. */
export function jobsWithSources(events: Iterable<MetricsEvent>): number[] {
  const jobIds = new Set<number>();
  for (const { jobId, source } of events) if (source) jobIds.add(jobId);
  return [...jobIds];
}

/**
 * What the events, received at `now` (epoch ms), add to each day of each job, by source, and the sources that their
 * jobs have not had before.
 * @param known the sources of the jobs of `jobsWithSources`
 */
export function dayIncrements(
  events: Iterable<MetricsEvent>,
  known: Sources,
  now: number,
): { readonly days: DayCounts[]; readonly newSources: Sources } {
  const days = new Map<string, DayCounts>();
  const newSources = new Map<number, string[]>();

  /** The source under which the event counts. The first ones of a job keep their own rows. */
  const sourceOf = ({ jobId, source }: MetricsEvent): string | null => {
    if (!source) return null;
    const before = known.get(jobId) ?? [];
    const added = newSources.get(jobId) ?? [];
    if (before.includes(source) || added.includes(source)) return source;
    if (before.length + added.length >= SOURCES_MAX) return OTHER_SOURCE;
    newSources.set(jobId, [...added, source]);
    return source;
  };

  const today = utcDay(now);
  for (const event of events) {
    const { jobId, type, at } = event;
    const day = at === undefined ? today : dayOf(at, now);
    const source = sourceOf(event);
    const key = `${jobId} ${day} ${source ?? ''}`;
    const counts = days.get(key) ?? { jobId, day, source, view: 0, application: 0, clickThrough: 0 };
    counts[type]++;
    days.set(key, counts);
  }
  return { days: [...days.values()], newSources };
}
