import type { Clock, Mongo } from '@joblisting/service-kit';
import type { BitlySettings } from './config.ts';
import { allowanceModel } from './models/allowance.ts';

export type BudgetStore = ReturnType<typeof budgetStore>;

/** Longer than any period and the pause after it. Uses the machine's time, because MongoDB expires documents by it. */
const KEPT_MS = 62 * 86_400_000;
const KEY_LENGTH = { month: 7, day: 10, hour: 13 } as const;

/** The collection `allowances`: the budget and the pauses of bitly, shared by all replicas. */
export function budgetStore(mongo: Mongo, clock: Clock, { budget, period }: BitlySettings) {
  const allowances = allowanceModel(mongo);
  let pausedUntil = 0;

  const currentPeriod = (): string => new Date(clock.now()).toISOString().slice(0, KEY_LENGTH[period]);
  const expiry = () => new Date(Date.now() + KEPT_MS);

  /** Reads the pause that other replicas may have begun. Resolves to false where the period has no document yet. */
  const refresh = async (): Promise<boolean> => {
    const found = await allowances.findOne({ _id: currentPeriod() }).lean();
    pausedUntil = Math.max(pausedUntil, found?.pausedUntil?.getTime() ?? 0);
    return found !== null;
  };

  const isPaused = (): boolean => clock.now() < pausedUntil;

  return {
    refresh,
    isPaused,

    /**
     * Takes one link from the budget of the present period, unless that period has already paid (`granted`). Resolves
     * to the period; to undefined in a pause, or if the budget is used up.
     */
    take: async (granted: string | undefined): Promise<string | undefined> => {
      const _id = currentPeriod();
      if (granted === _id) {
        await refresh();
        return isPaused() ? undefined : granted;
      }
      const free = {
        _id,
        pausedUntil: { $not: { $gt: new Date(clock.now()) } },
        ...(budget > 0 && { spent: { $lt: budget } }),
      };
      for (;;) {
        const { matchedCount } = await allowances.updateOne(free, { $inc: { spent: 1 } });
        if (matchedCount === 1) return _id;
        if (await refresh()) return undefined;
        await allowances.updateOne(
          { _id },
          { $setOnInsert: { spent: 0, expireAt: expiry() } },
          { upsert: true },
        );
      }
    },

    refund: async (granted: string): Promise<void> => {
      await allowances.updateOne({ _id: granted, spent: { $gt: 0 } }, { $inc: { spent: -1 } });
    },

    /** Stops the calls of every replica for this long. Does not shorten a longer pause. */
    pause: async (ms: number): Promise<void> => {
      const until = clock.now() + ms;
      pausedUntil = Math.max(pausedUntil, until);
      await allowances.updateOne(
        { _id: currentPeriod() },
        { $max: { pausedUntil: new Date(until) }, $setOnInsert: { spent: 0, expireAt: expiry() } },
        { upsert: true },
      );
    },
  };
}
