import {
  type ItemOutcome,
  itemOutcomes,
  type Sync,
  type SyncCommit,
  type SyncedJob,
  type Violation,
} from '@joblisting/contracts';
import { namesOf } from './batch.ts';
import type { Change } from './change.ts';

export type Outcome = ItemOutcome | SyncedJob['outcome'];

/** How often each outcome occurred. */
export type OutcomeCounts = Readonly<Partial<Record<Outcome, number>>>;

/** What the client wants at the end. */
export interface Decision {
  readonly missing: SyncCommit['missing'];
  readonly requestedBy?: { readonly consumerId: number; readonly userId: number | null };
}

/** A full sync of a company's jobs, or of those whose referenceId begins with `scope`. Times in epoch milliseconds. */
export interface StoredSync {
  readonly id: number;
  readonly companyId: number;
  readonly scope: string | null;
  readonly state: 'open' | 'committing' | 'committed';
  readonly startedAt: number;
  readonly endsAt: number;
  readonly decision?: Decision;
}

export interface MissingJob {
  readonly id: number;
  readonly referenceId: string;
}

/** What a commit finds in the database: what was sent does not say which jobs there were. */
export interface JobCounts {
  readonly missingCount: number;
  /** Jobs that were there at the start of the sync, the missing ones included. */
  readonly existingCount: number;
}

/** How long a sync takes items. */
export const SYNC_MS = 24 * 3600_000;
const DEFAULT_PERCENT = 20;

/** Whether it takes items, or a first commit. */
export const isOpen = ({ state, endsAt }: StoredSync, now: number): boolean =>
  state === 'open' && now < endsAt;

/** Names the changes that a sync makes to missing jobs, so that they can be told from those of others. */
export const requestIdOf = ({ id }: StoredSync): string => `sync-${id}`;

export const sentIn = (counts: OutcomeCounts): number =>
  itemOutcomes.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0);

/**
 * Whether a job that changed so may not have existed before. Without closed jobs, a reopened one counts as new: else a
 * feed of old jobs would raise the number of jobs that may be missing.
 */
export const isAddition = ({ kind, fields }: Pick<Change, 'kind' | 'fields'>, withClosed: boolean): boolean =>
  kind === 'created' || (!withClosed && fields?.includes('status') === true);

/** Why a commit must do nothing; empty if it may go on. */
export function judgeCommit(
  { expectedCount, missing, maxMissingPercent = DEFAULT_PERCENT }: SyncCommit,
  counts: OutcomeCounts,
  { missingCount, existingCount }: JobCounts,
): Violation[] {
  const violations: Violation[] = [];
  const sent = sentIn(counts);
  if (sent !== expectedCount) {
    const detail = `${sent} different referenceIds were sent.`;
    violations.push({ pointer: '#/expectedCount', code: 'mismatch', detail });
  }
  if (missing !== 'keep' && missingCount * 100 > maxMissingPercent * existingCount) {
    const detail = `${missingCount} of ${existingCount} jobs are missing.`;
    violations.push({ pointer: '#/maxMissingPercent', code: 'out_of_range', detail });
  }
  return violations;
}

/** A missing job among the errors of a refused commit. */
export const missingViolation = ({ id, referenceId }: MissingJob): Violation => ({
  pointer: '#/missing',
  code: 'mismatch',
  detail: `Job ${id} with referenceId ${JSON.stringify(referenceId)} was not sent.`,
});

/** Longer than any referenceId that the schema takes, whatever its characters. */
const REFERENCE_UNITS = 100;

/** What names the job of an item, also of a refused one: undefined if nothing does, or it is of another company. */
export function referenceIn({ companyId }: StoredSync, item: unknown): string | undefined {
  const { referenceId, company } = namesOf(item);
  const isNamed = typeof referenceId === 'string' && referenceId.length <= REFERENCE_UNITS;
  return isNamed && company?.id === companyId ? referenceId : undefined;
}

/** Violations of an item that belongs to another company or scope than the sync. */
export function outsideOf({ companyId, scope }: StoredSync, item: unknown): Violation[] {
  const { referenceId, company } = namesOf(item);
  const violations: Violation[] = [];
  if (typeof company?.id === 'number' && company.id !== companyId) {
    const detail = `The sync is of company ${companyId}.`;
    violations.push({ pointer: '#/company/id', code: 'mismatch', detail });
  }
  if (scope !== null && typeof referenceId === 'string' && !referenceId.startsWith(scope)) {
    const detail = `The scope of the sync is ${JSON.stringify(scope)}.`;
    violations.push({ pointer: '#/referenceId', code: 'mismatch', detail });
  }
  return violations;
}

/** The report of a sync. */
export function toReport(
  sync: StoredSync,
  counts: OutcomeCounts,
  jobs: readonly SyncedJob[],
  now: number,
): Sync {
  const { id, companyId, scope, state, startedAt, endsAt } = sync;
  return {
    id,
    company: { id: companyId },
    scope,
    state: state === 'open' && now >= endsAt ? 'expired' : state,
    startedAt: new Date(startedAt).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
    sent: sentIn(counts),
    created: counts.created ?? 0,
    updated: counts.updated ?? 0,
    unchanged: counts.unchanged ?? 0,
    refused: counts.refused ?? 0,
    missing: counts.missing ?? 0,
    closed: counts.closed ?? 0,
    deleted: counts.deleted ?? 0,
    kept: counts.kept ?? 0,
    leftAlone: counts.leftAlone ?? 0,
    jobs: [...jobs],
  };
}
