import type { Mongo } from '@joblisting/service-kit';
import type { OutboxEvent } from '../src/store/job-document.ts';
import { outboxes } from '../src/store/outbox-store.ts';

/** What waits to be published, by job, in the order of the versions. An event that waits twice is there twice. */
export async function waitingEvents(mongo: Mongo): Promise<Map<number, OutboxEvent[]>> {
  const waiting = new Map<number, OutboxEvent[]>();
  for (const outbox of Object.values(outboxes(mongo))) {
    for await (const { outgoing } of outbox.waiting(10)) {
      for (const { jobId, events } of outgoing.filter((job) => job.events.length > 0))
        waiting.set(jobId, [...(waiting.get(jobId) ?? []), ...events]);
    }
  }
  for (const events of waiting.values()) events.sort((one, other) => one.version - other.version);
  return waiting;
}
