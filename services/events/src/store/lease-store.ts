import { randomUUID } from 'node:crypto';
import type { Mongo } from '@joblisting/service-kit';
import { isFreeFor } from '@joblisting/service-kit/mongo';
import { leaseModel } from '../models/lease.ts';

export type LeaseStore = ReturnType<typeof leaseStore>;

/** Another replica leads this long after the leader was killed. */
const LEASE_MS = 6000;
const RENEW_EVERY_MS = 2000;

/** Lets one replica write the log, or send to webhooks. It only saves work: two at once send some events twice. */
export function leaseStore(mongo: Mongo, _id: 'log' | 'webhooks') {
  const leases = leaseModel(mongo);
  const leader = randomUUID();
  let renewAt = 0;
  let endsAt = 0;

  return {
    prepare: async (): Promise<void> => {
      await leases.updateOne({ _id }, {}, { upsert: true });
    },

    /** Takes or renews the lease. Resolves to false if another replica leads. */
    lead: async (): Promise<boolean> => {
      const now = performance.now();
      if (now < renewAt) return true;
      const leaseUntil = new Date(Date.now() + LEASE_MS);
      const isFree = { _id, ...isFreeFor(leader, LEASE_MS) };
      const { matchedCount } = await leases.updateOne(isFree, { $set: { leader, leaseUntil } });
      renewAt = matchedCount === 1 ? performance.now() + RENEW_EVERY_MS : 0;
      endsAt = matchedCount === 1 ? now + LEASE_MS : 0;
      return matchedCount === 1;
    },

    /** Whether no other replica can lead yet, also where this one was frozen. */
    isHeld: (): boolean => performance.now() < endsAt,

    /** Lets another replica lead at once. */
    release: async (): Promise<void> => {
      endsAt = 0;
      await leases.updateOne({ _id, leader }, { $unset: { leader: '' } });
    },
  };
}
