import type { Clock } from '@joblisting/service-kit';
import type { Addresses } from '../addresses.ts';
import type { BitlinkStore } from '../bitlink-store.ts';
import type { BudgetStore } from '../budget-store.ts';
import type { Link } from '../link-store.ts';
import type { BitlyApi } from './bitly-api.ts';
import type { BitlyCalls, CallLimit } from './bitly-calls.ts';
import type { Provider } from './provider.ts';

const LONGEST_CALL_MS = 1500;
/** The time for the store and the reply. */
const RESERVE_MS = 50;

interface Deps {
  readonly api: BitlyApi;
  readonly calls: BitlyCalls;
  readonly limit: CallLimit;
  readonly budget: BudgetStore;
  readonly bitlinks: BitlinkStore;
  readonly addresses: Addresses;
  readonly clock: Clock;
}

/**
 * Links by bitly. The budget pays before bitly is requested, once per link and period, however often the call fails.
 */
export function bitlyProvider({ api, calls, limit, budget, bitlinks, addresses, clock }: Deps): Provider {
  /** @param startBy no call starts later: one that is cut short would count as a failure of bitly */
  const request = async (link: Link, startBy: number, signal: AbortSignal): Promise<string | undefined> => {
    if (Date.now() > startBy || !calls.isAllowed()) return undefined;
    const period = await budget.take(link.granted);
    if (period === undefined) {
      calls.report(budget.isPaused() ? 'limited' : 'the budget is used up');
      return undefined;
    }
    const isClaimed = await bitlinks.claim(link, period, clock.now());
    if (!isClaimed && period !== link.granted) await budget.refund(period);
    if (!isClaimed || Date.now() > startBy) return undefined;

    const outcome = await calls.run(() => api.shorten(addresses.share(link.jobId), signal));
    if (outcome?.kind !== 'done') return undefined;
    await bitlinks.attach(link, outcome.value);
    return outcome.value.url;
  };

  return {
    name: 'bitly',
    shorten: async (link, deadline) => {
      const limitMs = Math.floor(Math.min(deadline - Date.now() - RESERVE_MS, LONGEST_CALL_MS));
      if (limitMs <= 0 || !calls.isAllowed()) return undefined;
      const signal = AbortSignal.timeout(limitMs);
      const startBy = Date.now() + limitMs / 2;
      return limit(() => request(link, startBy, signal));
    },
  };
}
