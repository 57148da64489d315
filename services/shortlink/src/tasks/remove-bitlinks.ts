import type { Clock, Log } from '@joblisting/service-kit';
import type { Addresses } from '../addresses.ts';
import type { BitlinkStore, Removal } from '../bitlink-store.ts';
import type { BudgetStore } from '../budget-store.ts';
import type { BitlyApi, Outcome } from '../providers/bitly-api.ts';
import type { BitlyCalls, CallLimit } from '../providers/bitly-calls.ts';

interface Deps {
  readonly api: BitlyApi;
  readonly calls: BitlyCalls;
  readonly limit: CallLimit;
  readonly budget: BudgetStore;
  readonly bitlinks: BitlinkStore;
  readonly addresses: Addresses;
  readonly clock: Clock;
  readonly log: Log;
}

const CALL_LIMIT_MS = 1500;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
/** Attempts before each failure is logged as an error: some hours. */
const LOGGED_FROM = 10;

/** How long to wait after so many failed attempts, in milliseconds. */
export const pauseAfter = (attempts: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);

/**
 * Removes the links of deleted jobs at bitly (API decisions, "DELETE"), and retries until that is done. A run ends when
 * nothing is due, or no call is allowed now.
 */
export function removeBitlinks(deps: Deps, stopping: AbortSignal): () => Promise<void> {
  const { api, calls, limit, budget, bitlinks, addresses, clock, log } = deps;

  const call = <T>(work: (signal: AbortSignal) => Promise<Outcome<T>>) =>
    limit(() => {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_LIMIT_MS)]);
      return calls.run(() => work(signal));
    });

  /** Undefined if no call was made. */
  const remove = async ({ bitlink, jobId }: Removal): Promise<Outcome<undefined> | undefined> => {
    if (bitlink) return call((signal) => api.remove(bitlink.id, signal));
    // Bitly may have made the link although its answer was lost. Requesting it again returns its id.
    const found = await call((signal) => api.shorten(addresses.share(jobId), signal));
    if (found?.kind !== 'done') return found;
    return call((signal) => api.remove(found.value.id, signal));
  };

  const postpone = async ({ code, jobId, bitlink, ...before }: Removal, reason: string): Promise<void> => {
    const attempts = before.attempts + 1;
    if (attempts >= LOGGED_FROM) {
      log.error(
        { jobId, bitlink: bitlink?.id, attempts, reason },
        'a link of a deleted job is still at bitly',
      );
    }
    await bitlinks.postponeRemoval(code, attempts, clock.now() + pauseAfter(attempts));
  };

  return async () => {
    await budget.refresh();
    while (!stopping.aborted && calls.isAllowed()) {
      const removal = await bitlinks.claimRemoval(clock.now());
      if (!removal) return;
      const outcome = await remove(removal);
      if (outcome?.kind === 'done') await bitlinks.finishRemoval(removal.code);
      else if (outcome?.kind === 'failed') await postpone(removal, outcome.reason);
      else return; // It is due again when its lease ends.
    }
  };
}
