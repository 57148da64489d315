import { randomUUID } from 'node:crypto';
import type { Mongo } from '@joblisting/service-kit';
import { isFreeFor } from '@joblisting/service-kit/mongo';
import { leaseModel } from '../models/lease.ts';

export type LeaseStore = ReturnType<typeof leaseStore>;

const ID = 'log';
/** Another replica leads this long after the leader was killed. */
const LEASE_MS = 6000;
const RENEW_EVERY_MS = 2000;

/** Makes one replica write the log. It only spares the others the work: two writers do no harm. */
export function leaseStore(mongo: Mongo) {
  const leases = leaseModel(mongo);
  const leader = randomUUID();
  let renewAt = 0;

  return {
    prepare: async (): Promise<void> => {
      await leases.updateOne({ _id: ID }, {}, { upsert: true });
    },

    /** Takes or renews the lease. Resolves to false if another replica leads. */
    lead: async (): Promise<boolean> => {
      if (performance.now() < renewAt) return true;
      const leaseUntil = new Date(Date.now() + LEASE_MS);
      const isFree = { _id: ID, ...isFreeFor(leader, LEASE_MS) };
      const { matchedCount } = await leases.updateOne(isFree, { $set: { leader, leaseUntil } });
      renewAt = matchedCount === 1 ? performance.now() + RENEW_EVERY_MS : 0;
      return matchedCount === 1;
    },

    /** Lets another replica lead at once. */
    release: async (): Promise<void> => {
      await leases.updateOne({ _id: ID, leader }, { $unset: { leader: '' } });
    },
  };
}
