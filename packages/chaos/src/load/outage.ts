import { quantile, tally } from '@joblisting/testing';

/** One request, sent once. Times are of the monotonic clock, in milliseconds. */
export interface Sample {
  readonly sentAt: number;
  readonly endedAt: number;
  /** Undefined for a success. */
  readonly failure?: string | undefined;
}

/** The effect of a fault. */
export interface Outage {
  /** Milliseconds from the fault until requests succeed again; 0 if none failed. */
  readonly windowMs: number;
  readonly failures: readonly string[];
}

/**
 * The effect of a fault on requests that were running at the fault or sent before `until`. The window ends with the
 * answer to the first request that was sent after the last failed one.
 */
export function outageBetween(samples: readonly Sample[], faultAt: number, until: number): Outage {
  const affected = samples.filter(({ sentAt, endedAt }) => endedAt >= faultAt && sentAt < until);
  const failed = affected.filter(({ failure }) => failure !== undefined);
  const failures = failed.flatMap(({ failure = [] }) => failure);
  if (failed.length === 0) return { windowMs: 0, failures };
  const lastSentAt = Math.max(...failed.map(({ sentAt }) => sentAt));
  const later = samples.filter(({ sentAt, failure }) => failure === undefined && sentAt > lastSentAt);
  return { windowMs: Math.min(...later.map(({ endedAt }) => endedAt)) - faultAt, failures };
}

/** Several outages in one line. */
export function describeOutages(outages: readonly Outage[]): string {
  const windows = outages.map(({ windowMs }) => windowMs);
  const [median, worst] = [0.5, 1].map((part) => `${(quantile(windows, part) / 1000).toFixed(1)} s`);
  const failures = outages.flatMap((outage) => outage.failures);
  const which = failures.length === 0 ? '' : ` (${tally(failures)})`;
  return `median ${median}, worst ${worst}, ${failures.length} failed${which}`;
}
