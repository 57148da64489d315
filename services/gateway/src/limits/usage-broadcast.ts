import type { Bus } from '@joblisting/bus';
import { USAGE_BATCH, usageTold } from '@joblisting/contracts';
import { compileBody } from '@joblisting/service-kit';
import type { UsageCounter } from './usage.ts';

const BROADCAST_EVERY_MS = 1000;

interface UsageBroadcast {
  /** Broadcasts the totals now. */
  readonly send: () => void;
  /** Broadcasts a last time: the others count these requests until the minute is over. */
  readonly stop: () => void;
}

/**
 * Broadcasts the totals of this gateway once a second, and folds in those of the others. Totals make a lost or a
 * repeated message harmless.
 * @param gateway random, so that a restarted gateway does not overwrite the totals of its predecessor
 */
export function broadcastUsage(
  bus: Pick<Bus, 'notify' | 'listen'>,
  usage: UsageCounter,
  gateway: string,
): UsageBroadcast {
  const { check } = compileBody(usageTold.payload);

  const send = () => {
    const window = usage.window();
    const counts = usage.totals();
    // Sends a message without counts too: it begins the window at gateways whose clocks are behind.
    for (let from = 0; from === 0 || from < counts.length; from += USAGE_BATCH) {
      bus.notify(usageTold, { gateway, window, counts: counts.slice(from, from + USAGE_BATCH) });
    }
  };

  bus.listen(usageTold, (totals) => {
    if (totals.gateway !== gateway && check(totals).length === 0) usage.fold(totals);
  });
  const timer = setInterval(send, BROADCAST_EVERY_MS).unref();

  return {
    send,
    stop: () => {
      clearInterval(timer);
      send();
    },
  };
}
