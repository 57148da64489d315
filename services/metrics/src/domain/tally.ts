import type { ApplicationReceived, MetricsEvent, MetricsReceipt } from '@joblisting/contracts';

/** The events of one request or message. */
export interface EventBatch {
  /** Event ids belong to their sender: two senders may use the same one. */
  readonly sender: string;
  readonly events: readonly MetricsEvent[];
}

/** Primary key of an event in the ledger; a sender has no colon. */
export const ledgerId = ({ sender }: EventBatch, { id }: MetricsEvent): string => `${sender}:${id}`;

/** The sender of the product's own events; it differs from `bus` and every `consumer <id>`. */
const OWN_SENDER = 'applications';
const RESERVED = /^application:\d+$/;

/**
 * A received application as a batch of one event. The id follows from the application, so a redelivered one counts
 * once.
 */
export const applicationBatch = ({ applicationId, jobId, at, source }: ApplicationReceived): EventBatch => ({
  sender: OWN_SENDER,
  events: [{ id: `application:${applicationId}`, jobId, type: 'application', at, source: source ?? null }],
});

/** Whether another sender reports an application that the service counts itself: a duplicate, even if it comes first. */
const isReserved = ({ sender }: EventBatch, { id, type }: MetricsEvent): boolean =>
  sender !== OWN_SENDER && type === 'application' && RESERVED.test(id);

export type Counts = Record<MetricsEvent['type'], number>;

export interface JobCounts extends Counts {
  readonly jobId: number;
}

/** The first event of each ledger id, for jobs that exist: what to count unless it was counted before. */
export function newEvents(
  batches: readonly EventBatch[],
  jobIds: ReadonlySet<number>,
): Map<string, MetricsEvent> {
  const first = new Map<string, MetricsEvent>();
  for (const batch of batches) {
    for (const event of batch.events) {
      const id = ledgerId(batch, event);
      if (jobIds.has(event.jobId) && !isReserved(batch, event) && !first.has(id)) first.set(id, event);
    }
  }
  return first;
}

/** What the events add to each job. */
export function increments(events: Iterable<MetricsEvent>): JobCounts[] {
  const byJob = new Map<number, JobCounts>();
  for (const { jobId, type } of events) {
    const counts = byJob.get(jobId) ?? { jobId, view: 0, application: 0, clickThrough: 0 };
    counts[type]++;
    byJob.set(jobId, counts);
  }
  return [...byJob.values()];
}

/**
 * The receipt of each batch, in their order. Only the first batch with an id gets it accepted.
 * @param counted the ledger ids that were counted before
 */
export function receipts(
  batches: readonly EventBatch[],
  jobIds: ReadonlySet<number>,
  counted: ReadonlySet<string>,
): MetricsReceipt[] {
  const claimed = new Set(counted);
  return batches.map((batch) => {
    const receipt: MetricsReceipt = { accepted: 0, duplicates: 0, rejected: [] };
    for (const [index, event] of batch.events.entries()) {
      const id = ledgerId(batch, event);
      if (!jobIds.has(event.jobId)) {
        receipt.rejected.push({ index, code: 'unknown_job', detail: `Job ${event.jobId} does not exist.` });
      } else if (isReserved(batch, event) || claimed.has(id)) {
        receipt.duplicates++;
      } else {
        claimed.add(id);
        receipt.accepted++;
      }
    }
    return receipt;
  });
}

export const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
