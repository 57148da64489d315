import type { Bus } from '@joblisting/bus';
import { transitionDue } from '@joblisting/contracts';

export interface Collected {
  /** Every instant on the stream so far, in its order. */
  readonly instants: string[];
  readonly stop: () => Promise<void>;
}

/** Reads the stream from its beginning. */
export function collectInstants(bus: Bus, durable: string): Collected {
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
