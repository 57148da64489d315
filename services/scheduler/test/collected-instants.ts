import type { Bus } from '@joblisting/bus';
import { transitionDue } from '@joblisting/contracts';

export interface CollectedInstants {
  /** Every instant of the stream so far, in order. */
  readonly instants: string[];
  readonly stop: () => Promise<void>;
}

/** Reads the stream from its start. */
export function collectInstants(bus: Bus, durable: string): CollectedInstants {
  const instants: string[] = [];
  const consuming = bus.consume(transitionDue, {
    durable,
    batch: 50,
    handle: (payloads) => {
      instants.push(...payloads.map(({ instant }) => instant));
      return Promise.resolve();
    },
    onError: () => undefined,
  });
  return { instants, stop: consuming.stop };
}
