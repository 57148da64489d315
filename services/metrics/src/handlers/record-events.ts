import type { recordEvents } from '@joblisting/contracts';
import { type Clock, type Handler, requireScope } from '@joblisting/service-kit';
import type { CountingQueue } from '../counting/queue.ts';
import type { Batch } from '../store/batch.ts';

/**
 * Counts a batch of events, and keeps the receipt for an Idempotency-Key with them. Throws `scope_missing`, and
 * what the queue rejects with.
 */
export function recordEventsHandler(queue: CountingQueue, clock: Clock): Handler<typeof recordEvents> {
  return async ({ body, context, keep }) => {
    requireScope(context, 'metrics:write');
    const batch: Batch = {
      events: body.events,
      keep: keep && { key: keep.key, answer: (data) => keep({ data }, clock.now()) },
    };
    return { data: await queue.submit(batch, context.deadline) };
  };
}
