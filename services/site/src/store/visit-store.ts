import { createHmac } from 'node:crypto';
import { isDuplicateKey, type Mongo } from '@joblisting/service-kit';
import { attemptModel } from '../models/attempt.ts';
import { visitModel } from '../models/visit.ts';
import type { ReportedEvent } from './report-store.ts';
import type { SecretStore } from './secret-store.ts';

export type VisitStore = ReturnType<typeof visitStore>;

/** The same visitor, job and type count once in this time. */
const REPEAT_MS = 30_000;
const HOUR_MS = 3600_000;

/** What must be remembered of visitors: salted hashes, for a short time. No address is stored. */
export function visitStore(mongo: Mongo, secrets: SecretStore) {
  const visits = visitModel(mongo);
  const attempts = attemptModel(mongo);

  const hashOf = async (now: number, ...parts: readonly unknown[]): Promise<string> =>
    createHmac('sha256', await secrets.ofVisitors(now))
      .update(JSON.stringify(parts))
      .digest('base64url');

  return {
    /**
     * Whether an event counts: false if another one of this visitor, job and type counted within 30 s. The same event
     * counts again, because its report may have failed.
     */
    claim: async (visitor: string, { id, jobId, type, at }: ReportedEvent): Promise<boolean> => {
      const _id = await hashOf(at, visitor, jobId, type);
      const countedAt = new Date(at);
      const expireAt = new Date(Date.now() + 2 * REPEAT_MS);
      try {
        await visits.updateOne(
          { _id, $or: [{ countedAt: { $lte: new Date(at - REPEAT_MS) } }, { eventId: id }] },
          { $set: { eventId: id, countedAt, expireAt } },
          { upsert: true },
        );
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** Counts an application of this network; returns how many it has sent in this hour. */
    countAttempt: async (network: string, now: number): Promise<number> => {
      const _id = await hashOf(now, network, Math.floor(now / HOUR_MS));
      const expireAt = new Date(Date.now() + HOUR_MS);
      const change = { $inc: { count: 1 }, $setOnInsert: { expireAt } };
      const options = { upsert: true, returnDocument: 'after' } as const;
      const { count } = await attempts.findOneAndUpdate({ _id }, change, options).lean();
      return count;
    },
  };
}
