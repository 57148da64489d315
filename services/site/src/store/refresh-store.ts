import { type Clock, isDuplicateKey, type Mongo } from '@joblisting/service-kit';
import { refreshModel } from '../models/refresh.ts';

export type RefreshStore = ReturnType<typeof refreshStore>;

const LEASE_MS = 60_000;
const ID = 'jobs';

/** How far the reading of all published jobs has come. One replica reads at a time. */
export function refreshStore(mongo: Mongo, clock: Clock, everyMs: number) {
  const refreshes = refreshModel(mongo);
  const leased = () => new Date(clock.now() + LEASE_MS);

  const saveProgress = async (after: number): Promise<void> => {
    await refreshes.updateOne({ _id: ID }, { $set: { after, leasedUntil: leased() } });
  };
  const release = async (): Promise<void> => {
    await refreshes.updateOne({ _id: ID }, { $set: { leasedUntil: new Date(clock.now()) } });
  };
  const finish = async (): Promise<void> => {
    const now = new Date(clock.now());
    const nextAt = new Date(clock.now() + everyMs);
    await refreshes.updateOne({ _id: ID }, { $set: { after: 0, nextAt, leasedUntil: now } });
  };

  return {
    /** Undefined if it is not due, or another replica is at it. */
    claim: async () => {
      const now = new Date(clock.now());
      try {
        const { after } = await refreshes
          .findOneAndUpdate(
            { _id: ID, nextAt: { $lte: now }, leasedUntil: { $lte: now } },
            { $set: { leasedUntil: leased() }, $setOnInsert: { after: 0, nextAt: now } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean();
        return { after, saveProgress, finish, release };
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
    },
  };
}
