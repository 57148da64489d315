import type { recordEvents } from '@joblisting/contracts';
import { type Handler, requireScope } from '@joblisting/service-kit';
import type { CountingQueue } from '../counting/queue.ts';

/** Counts a batch of events. Throws `scope_missing`, and what the queue rejects with. */
export function recordEventsHandler(queue: CountingQueue): Handler<typeof recordEvents> {
  return async ({ body, context }) => {
    requireScope(context, 'metrics:write');
    return { data: await queue.submit(body.events, context.deadline) };
  };
}
