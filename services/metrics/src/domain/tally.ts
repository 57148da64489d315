import type { MetricsEvent, MetricsReceipt } from '@joblisting/contracts';

export type Events = readonly MetricsEvent[];

/** What one request has sent. */
export interface Sent {
  readonly events: Events;
}

export type Counts = Record<MetricsEvent['type'], number>;

export interface JobCounts extends Counts {
  readonly jobId: number;
}

/** The events that count where none was counted before: the first of each id, for jobs that exist. */
export function newEvents(batches: readonly Sent[], jobIds: ReadonlySet<number>): Map<string, MetricsEvent> {
  const first = new Map<string, MetricsEvent>();
  for (const event of batches.flatMap(({ events }) => events)) {
    if (jobIds.has(event.jobId) && !first.has(event.id)) first.set(event.id, event);
  }
  return first;
}

/** What the events add to each job. */
export function increments(events: Iterable<MetricsEvent>): JobCounts[] {
  const byJob = new Map<number, JobCounts>();
  for (const { jobId, type } of events) countsOf(byJob, jobId)[type]++;
  return [...byJob.values()];
}

/** The sums of each job. */
export function addUp(all: Iterable<JobCounts>): JobCounts[] {
  const byJob = new Map<number, JobCounts>();
  for (const { jobId, view, application, clickThrough } of all) {
    const sums = countsOf(byJob, jobId);
    sums.view += view;
    sums.application += application;
    sums.clickThrough += clickThrough;
  }
  return [...byJob.values()];
}

function countsOf(byJob: Map<number, JobCounts>, jobId: number): JobCounts {
  const counts = byJob.get(jobId) ?? { jobId, view: 0, application: 0, clickThrough: 0 };
  byJob.set(jobId, counts);
  return counts;
}

/**
 * The receipt of each batch, in their order: an id that stands in two of them is accepted in the first.
 * @param counted the ids that had been counted before.
 */
export function receipts(
  batches: readonly Sent[],
  jobIds: ReadonlySet<number>,
  counted: ReadonlySet<string>,
): MetricsReceipt[] {
  const claimed = new Set(counted);
  return batches.map(({ events }) => {
    const receipt: MetricsReceipt = { accepted: 0, duplicates: 0, rejected: [] };
    for (const [index, { id, jobId }] of events.entries()) {
      if (!jobIds.has(jobId)) {
        receipt.rejected.push({ index, code: 'unknown_job', detail: `Job ${jobId} does not exist.` });
      } else if (claimed.has(id)) {
        receipt.duplicates++;
      } else {
        claimed.add(id);
        receipt.accepted++;
      }
    }
    return receipt;
  });
}
