import type { CallContext } from '@joblisting/bus';
import type { JobChanges, Warning } from '@joblisting/contracts';
import { createdWarnings, foldById, plainReferences, resolveHeld } from '../domain/categories.ts';
import { htmlToJudge } from '../domain/description.ts';
import type { HeldCategory, Job } from '../domain/job.ts';
import { decideChange, nextVersion } from '../domain/job-change.ts';
import { applyDueTransitions } from '../domain/status.ts';
import { retryOnConflict } from '../store/retry-on-conflict.ts';
import { requesterOf } from './caller.ts';
import type { Deps } from './deps.ts';
import { afterCommit, type IfMatch, referenceTaken, requireVersion } from './refusals.ts';
import type { SentCategories } from './unknown-categories.ts';

/** A job to change. Each attempt calls `load`. */
export interface ChangeRequest {
  readonly load: () => Promise<Job | undefined>;
  readonly changes: JobChanges;
  readonly ifMatch: IfMatch;
  /** Writes nothing. */
  readonly dryRun: boolean;
  readonly context: CallContext;
}

export interface WrittenJob {
  readonly job: Job;
  readonly warnings: readonly Warning[];
  /** The job was as the change wants it. */
  readonly isUnchanged?: boolean;
}

/**
 * Changes a job by compare-and-set on its version; if another write was faster, it decides again. Resolves to undefined
 * if there is no such job.
 */
export function changeJob(deps: Deps, request: ChangeRequest): Promise<WrittenJob | undefined> {
  const { clock, jobs, categoryNames } = deps;
  const { load, changes, ifMatch, dryRun, context } = request;
  const created: Warning[] = [];
  return retryOnConflict(context.deadline, async (run) => {
    // load
    const stored = await load();
    if (!stored) return undefined;
    const now = clock.now();
    const before = dryRun
      ? applyDueTransitions(stored, now)
      : await jobs.storeDueTransitions(stored, now, context.deadline);
    requireVersion(before, ifMatch);
    // decide
    const decided = await decide(deps, before, request, now);
    await refuseTaken(deps, before, decided.job, request);
    const assigned = await assign(deps, before, request);
    created.push(...assigned.created);
    const warnings = [...decided.warnings, ...created];
    const after = { ...decided.job, categories: assigned.categories };
    const next = nextVersion(before, after, now, requesterOf(context));
    if (!next) return { job: before, warnings, isUnchanged: true };
    if (dryRun) return { job: next.job, warnings };
    // save
    const commitBy = Math.min(context.deadline, assigned.commitBy);
    const saved = await jobs.replace(before, next.job, { change: next.change, commitBy });
    if (saved === 'duplicate') throw await referenceTaken(jobs, before.company.id, next.job.referenceId);
    // answer
    const hadConflict = run > 0 && changes.categories !== undefined;
    const [job] = await Promise.all([
      afterCommit(categoryNames.withCurrentNames(next.job)),
      release(deps, before, next.job, hadConflict, context),
    ]);
    return { job, warnings };
  });
}

async function decide(
  { judgeHtml, unknown }: Deps,
  before: Job,
  { changes, context }: ChangeRequest,
  now: number,
) {
  const html = htmlToJudge(before, changes);
  const verdict = html === undefined ? undefined : await judgeHtml(html, context.deadline);
  const decision = () => decideChange(before, changes, now, verdict && (() => verdict));
  return unknown.alongside(decision, newCategories(before, changes), context);
}

/** Only an early check, so that a refused request acquires no categories. The unique index decides. */
async function refuseTaken(
  { jobs, unknown }: Deps,
  before: Job,
  after: Job,
  { changes, context }: ChangeRequest,
): Promise<void> {
  const { referenceId, company } = after;
  if (referenceId === null || referenceId === before.referenceId) return;
  const id = await jobs.findIdByReference({ companyId: company.id, referenceId });
  if (id === undefined || id === before.id) return;
  await unknown.refuse(newCategories(before, changes), context);
  throw await referenceTaken(jobs, company.id, referenceId);
}

/** Categories that the job already has exist, so only the others are checked. */
const newCategories = (
  { company, categories: held }: Job,
  { categories: sent }: JobChanges,
): SentCategories => ({
  companyId: company.id,
  categories: sent?.map((category) => (held.some(({ id }) => id === category.id) ? {} : category)),
});

interface Assigned {
  readonly categories: readonly HeldCategory[];
  readonly created: readonly Warning[];
  readonly commitBy: number;
}

async function assign(
  { categories }: Deps,
  before: Job,
  { changes, dryRun, context }: ChangeRequest,
): Promise<Assigned> {
  const sent = changes.categories === undefined ? undefined : plainReferences(changes.categories ?? []);
  const held = sent === undefined ? before.categories : resolveHeld(before.categories, sent);
  if (held || !sent) return { categories: held ?? [], created: [], commitBy: Infinity };
  const acquisition = {
    companyId: before.company.id,
    jobId: before.id,
    version: before.version + 1,
    categories: sent,
  };
  const acquired = await categories[dryRun ? 'preview' : 'acquire'](acquisition, context);
  return {
    categories: foldById(acquired.categories),
    created: createdWarnings(acquired.categories),
    commitBy: acquired.commitBy,
  };
}

/** Releases the references that this version has dropped. */
async function release(
  { categories }: Deps,
  before: Job,
  after: Job,
  hadConflict: boolean,
  context: CallContext,
): Promise<void> {
  const kept = after.categories.map(({ id }) => id);
  if (hadConflict || before.categories.some(({ id }) => !kept.includes(id) && !categories.isSystem({ id })))
    await categories.release(after.id, after.version, kept, context);
}
