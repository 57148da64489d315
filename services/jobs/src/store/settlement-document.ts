import type { SettlementId, StoredTimeline } from './job-document.ts';

/** Jobs that become the same: what becomes of one of these timelines becomes of all of them. */
export interface SettledGroup {
  readonly timeline: StoredTimeline;
  readonly members: readonly { readonly companyId: number; readonly jobIds: readonly number[] }[];
}

/**
 * The collection `settlements`: jobs whose transitions are stored together, written down before any of them is. It is
 * the outbox of these transitions as well, until all of them are published.
 */
export interface SettlementDocument {
  readonly _id: SettlementId;
  /** By when they are settled. The transitions that have passed then follow from the timelines. */
  readonly recordedAt: Date;
  readonly groups: readonly SettledGroup[];
  /** Jobs may still be settled by it. */
  readonly open?: true;
  /**
   * Jobs that someone else has changed, deleted or discarded before: their transitions are told by that write, by a
   * later settlement, or to nobody.
   */
  readonly lost?: readonly number[];
}

export const jobIdsOf = ({ members }: SettledGroup): number[] => members.flatMap(({ jobIds }) => jobIds);
