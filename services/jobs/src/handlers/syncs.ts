import type { CallContext } from '@joblisting/bus';
import {
  type addSyncItems,
  type commitSync,
  type getSync,
  LISTED_AT_MOST,
  type ParamsOf,
  ServiceError,
  type startSync,
  type Sync,
} from '@joblisting/contracts';
import {
  grantsCompany,
  type Handler,
  type NextId,
  type RequestIdentity,
  requireCompany,
  traceOf,
} from '@joblisting/service-kit';
import {
  isOpen,
  judgeCommit,
  missingViolation,
  type MissingJob,
  outsideOf,
  referenceIn,
  type StoredSync,
  SYNC_MS,
  toReport,
} from '../domain/sync.ts';
import type { SettleDue } from '../tasks/settle-due.ts';
import { requesterOf } from './caller.ts';
import { type BatchDeps, isFinal, storeAnswer } from './batch-jobs.ts';
import { afterCommit } from './refusals.ts';
import { finishSync, type FinishDeps } from './finish-sync.ts';
import { ANSWER_MS, jsonOf, putItems } from './put-items.ts';

export interface SyncDeps extends FinishDeps, BatchDeps {
  readonly newSyncId: NextId;
  readonly settle: SettleDue;
}

/** The same Idempotency-Key may be used for each sync. */
export const syncIdentity: Pick<RequestIdentity, 'scope'> = {
  scope: (params) => (params as ParamsOf<typeof commitSync>).id,
};

/** Starts a sync. Throws `company_forbidden`. */
export const startSyncHandler =
  (deps: SyncDeps): Handler<typeof startSync> =>
  async ({ body: { company, scope = null }, context, keep }) => {
    requireCompany(context, company.id, { pointer: '#/company/id' });
    await deps.companies.get(company.id, context);
    const now = deps.clock.now();
    const times = { startedAt: now, endsAt: now + SYNC_MS };
    const sync: StoredSync = {
      id: await deps.newSyncId(),
      companyId: company.id,
      scope,
      state: 'open',
      ...times,
    };
    const answer = { outcome: 'created', id: sync.id, data: toReport(sync, {}, [], now) } as const;
    await deps.syncs.insert(sync, keep?.(answer, now), context.deadline);
    return answer;
  };

/** Executes items as a batch does, and notes their referenceIds. Throws `sync_not_found`, `sync_ended`. */
export const addSyncItemsHandler =
  (deps: SyncDeps): Handler<typeof addSyncItems> =>
  async ({ params: { id }, body, violations, warnings, context, keep, note }) => {
    const sync = await findOwnSync(deps, id, context);
    if (!isOpen(sync, deps.clock.now())) throw new ServiceError('sync_ended');
    const answers = await putItems(deps, {
      items: body.items,
      violations,
      warnings,
      dryRun: false,
      context,
      violationsOf: (item) => outsideOf(sync, item),
    });
    note({ items: answers.length });
    // What was not executed for certain is not sent yet: the client sends it again.
    const sent = answers.flatMap(({ outcome }, index) => {
      const referenceId = referenceIn(sync, body.items[index]);
      return outcome === undefined || referenceId === undefined ? [] : [{ outcome, referenceId }];
    });
    await afterCommit(deps.syncs.record(sync, sent));
    const data = jsonOf(answers);
    if (keep && isFinal(answers)) await storeAnswer(deps, keep({ data }, deps.clock.now()), context);
    return { data };
  };

/** Ends a sync. Throws `sync_not_found`, `sync_ended`, `sync_refused`. */
export const commitSyncHandler =
  (deps: SyncDeps): Handler<typeof commitSync> =>
  async ({ params: { id }, body, context, keep }) => {
    const { syncs, clock, log } = deps;
    const sync = await findOwnSync(deps, id, context);
    if (sync.state === 'open') {
      if (!isOpen(sync, clock.now())) throw new ServiceError('sync_ended');
      const { missing } = body;
      await deps.settle.ofCompany(sync.companyId, clock.now(), context.deadline);
      await refuseUnexpected(deps, sync, body);
      const { requestedBy } = requesterOf(context);
      await syncs.decide(sync, { missing, ...(requestedBy && { requestedBy }) }, context.deadline);
    }
    const decided = await findOwnSync(deps, id, context);
    if (decided.decision?.missing !== body.missing) throw new ServiceError('sync_ended');
    if (decided.state === 'committing')
      await finishSync(deps, decided, context.deadline - ANSWER_MS).catch((err: unknown) =>
        log.warn({ err, ...traceOf(context) }, 'a commit is not finished yet; the task goes on with it'),
      );
    const data = await afterCommit(reportOf(deps, await findOwnSync(deps, id, context)));
    if (keep && data.state === 'committed') await storeAnswer(deps, keep({ data }, clock.now()), context);
    return { data };
  };

/** Reads a report. Throws `sync_not_found`. */
export const getSyncHandler =
  (deps: SyncDeps): Handler<typeof getSync> =>
  async ({ params: { id }, context }) => ({
    data: await reportOf(deps, await findOwnSync(deps, id, context)),
  });

async function findOwnSync({ syncs }: SyncDeps, id: number, context: CallContext): Promise<StoredSync> {
  const sync = await syncs.find(id);
  if (!sync || !grantsCompany(context, sync.companyId)) throw new ServiceError('sync_not_found');
  return sync;
}

/** Throws `sync_refused` with the first missing jobs if the count is wrong or too many are missing. */
async function refuseUnexpected(
  { syncs }: SyncDeps,
  sync: StoredSync,
  commit: Parameters<typeof judgeCommit>[0],
): Promise<void> {
  const listed: MissingJob[] = [];
  let missingCount = 0;
  let existingCount = 0;
  let after: string | undefined;
  do {
    const scanned = await syncs.scan(sync, after, commit.missing === 'delete');
    missingCount += scanned.missing.length;
    existingCount += scanned.existingCount;
    listed.push(...scanned.missing.slice(0, LISTED_AT_MOST - listed.length));
    ({ after } = scanned);
  } while (after !== undefined);
  const violations = judgeCommit(commit, await syncs.counts(sync), { missingCount, existingCount });
  if (violations.length === 0) return;
  throw new ServiceError('sync_refused', undefined, {
    errors: [...violations, ...listed.map(missingViolation)],
  });
}

const reportOf = async ({ syncs, clock }: SyncDeps, sync: StoredSync): Promise<Sync> =>
  toReport(sync, await syncs.counts(sync), await syncs.listed(sync), clock.now());
