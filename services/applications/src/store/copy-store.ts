import { randomUUID } from 'node:crypto';
import type { Mongo } from '@joblisting/service-kit';
import type { Application } from '../domain/application.ts';
import type { Copy } from '../domain/copy.ts';
import { type ApplicationDocument, applicationModel, DUE_COPIES } from '../models/application.ts';
import { toApplication, toCopy, toCopyDocument } from './application-document.ts';

export type CopyStore = ReturnType<typeof copyStore>;

/** A copy that this replica alone sends until its lease ends. */
export interface ClaimedCopy {
  readonly application: Application;
  readonly copy: Copy;
  readonly lease: string;
}

/** The e-mail copies that wait to be sent. */
export function copyStore(mongo: Mongo) {
  const applications = applicationModel(mongo);

  /** Takes a copy of the first of these companies that has one, the oldest first. */
  const claimOf = async (
    companyId: { readonly $gt: number } | { readonly $lte: number },
    now: number,
    leaseMs: number,
  ): Promise<ClaimedCopy | undefined> => {
    const lease = randomUUID();
    const isDue = { nextAttemptAt: { $lte: new Date(now) } };
    const found = await applications
      .findOneAndUpdate(
        {
          companyId,
          // The partial index does not serve $elemMatch.
          'copies.nextAttemptAt': { $lte: new Date(now) },
          copies: { $elemMatch: isDue },
          'files.scan': { $ne: 'pending' },
        },
        { $set: { 'copies.$.nextAttemptAt': new Date(now + leaseMs), 'copies.$.lease': lease } },
        // Without the hint the planner may take all due copies and sort them.
        { returnDocument: 'after', sort: { companyId: 1 }, hint: DUE_COPIES },
      )
      .lean<ApplicationDocument>();
    const claimed = found?.copies.find((copy) => copy.lease === lease);
    if (!found || !claimed) return undefined;
    return { application: toApplication(found), copy: toCopy(claimed), lease };
  };

  return {
    /**
     * Takes a copy that is due and whose files may be sent; undefined if there is none. It is of the next company that
     * has one, in the order of ids after `lastCompanyId`, and then from the first: so each gets its turn.
     */
    claim: async (lastCompanyId: number, now: number, leaseMs: number): Promise<ClaimedCopy | undefined> =>
      (await claimOf({ $gt: lastCompanyId }, now, leaseMs)) ??
      (await claimOf({ $lte: lastCompanyId }, now, leaseMs)),

    /** Stores what came of sending, unless another replica has taken the copy since, or it was erased. */
    saveResult: async ({ application, lease }: ClaimedCopy, after: Copy): Promise<void> => {
      const change = {
        kind: 'copyFailed',
        jobId: application.job.id,
        companyId: application.companyId,
        at: new Date(after.lastAttemptAt ?? 0),
        copy: after.no,
        round: after.round,
      } as const;
      await applications.updateOne(
        { _id: application.id, copies: { $elemMatch: { no: after.no, lease } } },
        { $set: { 'copies.$': toCopyDocument(after), ...(after.state === 'failed' && { change }) } },
      );
    },

    /** Since when the copy waits that is due for the longest time, in epoch ms; undefined if none is due. */
    oldestDue: async (now: number): Promise<number | undefined> => {
      const due = { $lte: new Date(now) };
      const found = await applications
        .findOne({ 'copies.nextAttemptAt': due, 'files.scan': { $ne: 'pending' } }, { copies: 1 })
        .sort({ 'copies.nextAttemptAt': 1 })
        .lean();
      const times = found?.copies.flatMap(({ nextAttemptAt }) => nextAttemptAt?.getTime() ?? []);
      return times && Math.min(...times);
    },
  };
}
