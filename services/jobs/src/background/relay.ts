import type { Bus } from '@joblisting/bus';
import { jobClosed, jobPublished, status } from '@joblisting/contracts';
import type { Outgoing, OutboxStore } from '../store/outbox-store.ts';

const CHUNK = 500;

/**
 * Publishes the transitions that wait in the outbox, each with the message id `job:<id>:<version>`, and takes them
 * out once the stream has them. Several replicas may do so at once: the stream folds what comes twice.
 * Rejects where some could not be published; they stay for the next run.
 */
export function relay(outboxes: readonly OutboxStore[], bus: Bus, stopping: AbortSignal) {
  const publish = async ({ jobId, companyId, events }: Outgoing) => {
    for (const { key, version, statusId, at } of events) {
      const event = statusId === status.closed ? jobClosed : jobPublished;
      await bus.publishEvent(event, { jobId, companyId, version, statusId, at: at.toISOString() }, key);
    }
  };

  const drain = async (outbox: OutboxStore): Promise<void> => {
    while (!stopping.aborted) {
      const outgoing = await outbox.oldest(CHUNK);
      const results = await Promise.allSettled(outgoing.map(publish));
      const published = outgoing.filter((_, index) => results[index]?.status === 'fulfilled');
      if (published.length > 0) await outbox.clear(published);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      if (outgoing.length < CHUNK) return;
    }
  };

  return async (): Promise<void> => {
    await Promise.all(outboxes.map(drain));
  };
}
