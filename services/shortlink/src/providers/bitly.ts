import type { Clock } from '@joblisting/service-kit';
import type { Addresses } from '../addresses.ts';
import type { BitlinkStore } from '../bitlink-store.ts';
import type { BudgetStore } from '../budget-store.ts';
import type { Link } from '../link-store.ts';
import type { BitlyApi } from './bitly-api.ts';
import type { BitlyCalls, CallLimit } from './bitly-calls.ts';
import type { Provider } from './provider.ts';

/** How long a new job waits for bitly. */
const NEW_JOB_LIMIT_MS = 350;
/** Who leaves as much time is not a new job: bitly may take longer then. */
const PATIENT_FROM_MS = 1000;
const PATIENT_LIMIT_MS = 1500;
/** What the store and the answer's way back take. */
const RESERVE_MS = 30;

interface Deps {
  readonly api: BitlyApi;
  readonly calls: BitlyCalls;
  readonly limit: CallLimit;
  readonly budget: BudgetStore;
  readonly bitlinks: BitlinkStore;
  readonly addresses: Addresses;
  readonly clock: Clock;
}

/** Links by bitly: each taken from the budget once, before the first call. */
export function bitlyProvider({ api, calls, limit, budget, bitlinks, addresses, clock }: Deps): Provider {
  /** Takes one link from the budget. Undefined, and logged, where that is not possible. */
  const takeGrant = async (): Promise<string | undefined> => {
    const period = await budget.take();
    if (period === undefined) calls.report(budget.isPaused() ? 'limited' : 'the budget is used up');
    return period;
  };

  const request = async (link: Link, time: CallTime): Promise<string | undefined> => {
    if (time.isShort() || !calls.isAllowed()) return undefined;
    const isFirst = link.granted === undefined;
    const period = link.granted ?? (await takeGrant());
    if (period === undefined) return undefined;

    const isClaimed = await bitlinks.claim(link, period, clock.now());
    const isCalled = isClaimed && !time.isShort();
    const outcome = isCalled
      ? await calls.run(() => api.shorten(addresses.share(link.jobId), time.signal))
      : undefined;

    if (outcome?.kind === 'done') {
      const { bitlink, isNew } = outcome.value;
      await bitlinks.attach(link, bitlink);
      // The budget counts links: one that bitly had already is none.
      if (isFirst && !isNew) await budget.giveBack(period);
      return bitlink.url;
    }
    // Bitly may have made the link: it stays paid for, and is left alone for a moment.
    if (outcome?.kind === 'failed' && !outcome.isCertain) return undefined;
    if (isClaimed) await bitlinks.release(link);
    if (isFirst) await budget.giveBack(period);
    return undefined;
  };

  return {
    name: 'bitly',
    shorten: async (link, deadline) => {
      const left = deadline - Date.now() - RESERVE_MS;
      if (left <= 0 || !calls.isAllowed()) return undefined;
      const time = callTime(left >= PATIENT_FROM_MS ? PATIENT_LIMIT_MS : Math.min(left, NEW_JOB_LIMIT_MS));
      return limit(() => request(link, time));
    },
  };
}

interface CallTime {
  /** The end of the call. */
  readonly signal: AbortSignal;
  /** Less than half is left. A call that is cut short would say nothing about bitly. */
  readonly isShort: () => boolean;
}

function callTime(limitMs: number): CallTime {
  const half = Date.now() + limitMs / 2;
  return { signal: AbortSignal.timeout(Math.ceil(limitMs)), isShort: () => Date.now() > half };
}
