import type { Bus } from '@joblisting/bus';
import { schedulerStream, transitionDue } from '@joblisting/contracts';
import type { Clock, Log } from '@joblisting/service-kit';
import { instantsDue } from './instants.ts';

export interface TransitionPublisher {
  /** Publishes what is due. Never rejects: after a failure, the next call publishes it. */
  readonly publishDue: () => Promise<void>;
  /** Resolves when the current call, if there is one, has ended. */
  readonly whenIdle: () => Promise<void>;
}

/**
 * Publishes each 12:00 UTC instant once the clock has reached it, the missed ones too. It compares the clock with the
 * last instant published, so ticks that were missed, came twice or came after a jump of the clock do no harm. Replicas
 * publish the same message id, which the stream deduplicates within its window; consumers are idempotent.
 */
export function transitionPublisher(bus: Bus, clock: Clock, log: Log): TransitionPublisher {
  /** The last instant on the stream; `unknown` until the stream was read. */
  let last: number | undefined | 'unknown' = 'unknown';
  let running: Promise<void> | undefined;

  const publishAll = async () => {
    if (last === 'unknown') {
      await bus.ensureStream(schedulerStream);
      last = await lastPublished(bus);
    }
    for (const due of instantsDue(last, clock.now())) {
      const instant = new Date(due).toISOString();
      const { duplicate } = await bus.publishEvent(transitionDue, { instant }, `transition:${instant}`);
      last = due;
      log.info({ instant, duplicate }, 'transition due');
    }
  };

  const attempt = async () => {
    try {
      await publishAll();
    } catch (error) {
      // The stream may be lost, or contain an instant whose publish got no answer, so read it again.
      last = 'unknown';
      log.warn({ err: error }, 'could not publish what is due; it will be tried again');
    }
  };

  return {
    publishDue: () => {
      running ??= attempt().finally(() => {
        running = undefined;
      });
      return running;
    },
    whenIdle: async () => running,
  };
}

async function lastPublished(bus: Bus): Promise<number | undefined> {
  const event = await bus.lastEvent(transitionDue);
  const instant = Date.parse(event?.instant ?? '');
  return Number.isNaN(instant) ? undefined : instant;
}
