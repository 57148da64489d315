import type { Bus } from '@joblisting/bus';
import { USAGE_BATCH, type UsageTold, usageTold } from '@joblisting/contracts';
import { compileBody } from '@joblisting/service-kit';
import type { UsageCounter } from './usage.ts';

/** How often changes are told, in milliseconds. */
export const TELL_EVERY_MS = 100;

export interface UsageExchange {
  /** Tells what there is to tell now. */
  readonly tell: () => void;
  /** Tells for the last time: what was let through counts until the minute is over. */
  readonly stop: () => void;
}

/**
 * Tells the other gateways what this one has let through, and counts in what they tell. Changes wait for the next
 * turn, at most 100 ms, unless so many have gathered that a limit would be overrun meanwhile. After a time without
 * the bus, and at first, it asks the others for all that they have.
 * @param id names this gateway; random, so that none takes over the counts of the one before it
 */
export function exchangeUsage(
  bus: Pick<Bus, 'notify' | 'listen' | 'isConnected'>,
  usage: UsageCounter,
  id: string,
): UsageExchange {
  const shape = compileBody(usageTold.payload);
  let asks = true;
  let toldWindow: number | undefined;
  let soon: NodeJS.Immediate | undefined;

  const tell = () => {
    soon = undefined;
    if (!bus.isConnected()) {
      asks = true;
      return;
    }
    const window = usage.window();
    const counts = usage.changes();
    // The first word of a window makes it begin for those whose clocks are behind.
    if (counts.length === 0 && !asks && window === toldWindow) return;
    for (const batch of batchesOf(counts)) {
      bus.notify(usageTold, { gateway: id, window, asks, counts: batch });
      asks = false;
    }
    toldWindow = window;
  };

  const hurry = () => {
    soon ??= setImmediate(tell);
  };

  usage.onHurry(hurry);
  bus.listen(usageTold, (told) => {
    if (told.gateway === id || shape.check(told).length > 0) return;
    usage.hear(told);
    if (!told.asks) return;
    usage.tellAll();
    hurry();
  });
  const turns = setInterval(tell, TELL_EVERY_MS).unref();

  return {
    tell,
    stop: () => {
      clearInterval(turns);
      clearImmediate(soon);
      usage.onHurry(() => undefined);
      tell();
    },
  };
}

/** At least one, which may be empty. */
function batchesOf(counts: UsageTold['counts']): UsageTold['counts'][] {
  const batches = [counts.slice(0, USAGE_BATCH)];
  for (let from = USAGE_BATCH; from < counts.length; from += USAGE_BATCH) {
    batches.push(counts.slice(from, from + USAGE_BATCH));
  }
  return batches;
}
