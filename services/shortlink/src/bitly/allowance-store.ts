import type { Mongo } from '@joblisting/service-kit';
import { LONGEST_PAUSE_MS } from './retry-after.ts';
import type { BitlySettings } from './settings.ts';

/** One document a period, e.g. `2026-03`: what all replicas may and did use of bitly. */
interface StoredAllowance {
  readonly _id: string;
  readonly spent: number;
  readonly pausedUntil?: Date;
  readonly expireAt: Date;
}

/** `granted` names the period that it was taken from; `paused` says until when, in epoch milliseconds. */
export type Spending =
  | { readonly granted: string }
  | { readonly paused: number }
  | { readonly usedUp: string };

export type AllowanceStore = ReturnType<typeof allowanceStore>;

/** Longer than any period and the pause after it; by the machine's time, as the database removes by its own. */
const KEPT_MS = 62 * 86_400_000;
/** A budget that is used up stays so, but for what is given back: asking again each time would tell nothing new. */
const USED_UP_FOR_MS = 5000;

const KEY_LENGTH = { month: 7, day: 10, hour: 13 } as const;

/** The collection `allowances`. One update asks for both, budget and pause, and begins the period. */
export function allowanceStore(mongo: Mongo, { budget, period }: Pick<BitlySettings, 'budget' | 'period'>) {
  const allowances = mongo.collection<StoredAllowance>('allowances');
  const periodOf = (now: number): string => new Date(now).toISOString().slice(0, KEY_LENGTH[period]);

  const expiry = () => new Date(Date.now() + KEPT_MS);

  let usedUp: { readonly period: string; readonly since: number } | undefined;
  const isKnownUsedUp = (period: string, now: number): boolean =>
    usedUp?.period === period && now >= usedUp.since && now - usedUp.since < USED_UP_FOR_MS;

  /** A pause that is further away than any can be comes from another clock: it does not count. */
  const pauseEnd = (pausedUntil: Date | undefined, now: number): number | undefined => {
    const until = pausedUntil?.getTime() ?? 0;
    return until > now && until <= now + LONGEST_PAUSE_MS ? until : undefined;
  };

  /** One more is spent where nothing forbids it: what `spend` reads from the document as it was before. */
  const spentOnce = (now: number) => {
    const spent = { $ifNull: ['$spent', 0] };
    const isPaused = {
      $and: [
        { $gt: ['$pausedUntil', new Date(now)] },
        { $lte: ['$pausedUntil', new Date(now + LONGEST_PAUSE_MS)] },
      ],
    };
    const isOver = budget > 0 ? { $gte: [spent, budget] } : false;
    return {
      spent: { $cond: [{ $or: [isPaused, isOver] }, spent, { $add: [spent, 1] }] },
      expireAt: { $ifNull: ['$expireAt', expiry()] },
    };
  };

  const pausedUntil = async (now: number): Promise<number | undefined> => {
    const found = await allowances.findOne({ _id: periodOf(now) });
    return pauseEnd(found?.pausedUntil, now);
  };

  return {
    createIndexes: async (): Promise<void> => {
      await allowances.createIndex({ expireAt: 1 }, { expireAfterSeconds: 0 });
    },

    /** The end of the pause that bitly asked for, in epoch milliseconds. */
    pausedUntil,

    /** Takes one link from the budget of the period at `now`, unless bitly asked for a pause. */
    spend: async (now: number): Promise<Spending> => {
      const _id = periodOf(now);
      if (isKnownUsedUp(_id, now)) return { usedUp: _id };
      const before = await allowances.findOneAndUpdate({ _id }, [{ $set: spentOnce(now) }], {
        upsert: true,
        returnDocument: 'before',
      });
      const paused = pauseEnd(before?.pausedUntil, now);
      if (paused !== undefined) return { paused };
      if (budget <= 0 || before === null || before.spent < budget) return { granted: _id };
      usedUp = { period: _id, since: now };
      return { usedUp: _id };
    },

    /** Gives back what came to nothing. */
    giveBack: async (granted: string): Promise<void> => {
      try {
        await allowances.updateOne({ _id: granted, spent: { $gt: 0 } }, { $inc: { spent: -1 } });
      } finally {
        usedUp = undefined;
      }
    },

    /** Keeps every replica from calls until then, past the end of a period too. A longer pause stays. */
    pause: async (until: number, now: number): Promise<void> => {
      const periods = new Set([periodOf(now), periodOf(until)]);
      const end = new Date(until);
      const isLonger = {
        $and: [{ $gt: ['$pausedUntil', end] }, { $lte: ['$pausedUntil', new Date(now + LONGEST_PAUSE_MS)] }],
      };
      const update = {
        pausedUntil: { $cond: [isLonger, '$pausedUntil', end] },
        spent: { $ifNull: ['$spent', 0] },
        expireAt: { $ifNull: ['$expireAt', expiry()] },
      };
      await Promise.all(
        Array.from(periods, (_id) => allowances.updateOne({ _id }, [{ $set: update }], { upsert: true })),
      );
    },
  };
}
