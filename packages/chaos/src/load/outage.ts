import { quantile, tally } from '../statistics.ts';

/** One request, sent once. Moments are of the monotonic clock, in milliseconds. */
export interface Sample {
  readonly sentAt: number;
  readonly endedAt: number;
  /** What went wrong with it; undefined where nothing did. */
  readonly failure?: string | undefined;
}

/** How much of a fault was felt. */
export interface Outage {
  /** From the fault until requests succeed again, in milliseconds; 0 where none failed. */
  readonly windowMs: number;
  readonly failures: readonly string[];
}

/**
 * What requests felt between two moments, the first of which is that of the fault. One that was under way then
 * counts. The window ends with the answer to the first request that was sent after the last one that failed.
 */
export function outageBetween(samples: readonly Sample[], faultAt: number, until: number): Outage {
  const felt = samples.filter(({ sentAt, endedAt }) => endedAt >= faultAt && sentAt < until);
  const failed = felt.filter(({ failure }) => failure !== undefined);
  const failures = failed.flatMap(({ failure = [] }) => failure);
  if (failed.length === 0) return { windowMs: 0, failures };
  const lastSentAt = Math.max(...failed.map(({ sentAt }) => sentAt));
  const later = samples.filter(({ sentAt, failure }) => failure === undefined && sentAt > lastSentAt);
  return { windowMs: Math.min(...later.map(({ endedAt }) => endedAt)) - faultAt, failures };
}

/** Several faults of one kind in a line. */
export function describeOutages(outages: readonly Outage[]): string {
  const windows = outages.map(({ windowMs }) => windowMs);
  const [median, worst] = [0.5, 1].map((part) => `${(quantile(windows, part) / 1000).toFixed(1)} s`);
  const failures = outages.flatMap((outage) => outage.failures);
  const which = failures.length === 0 ? '' : ` (${tally(failures)})`;
  return `median ${median}, worst ${worst}, ${failures.length} failed${which}`;
}
