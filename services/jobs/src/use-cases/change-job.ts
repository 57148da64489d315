import type { CallContext } from '@joblisting/bus';
import type { JobChanges, Warning } from '@joblisting/contracts';
import { createdWarnings, foldById, plainReferences, resolveHeld } from '../domain/categories.ts';
import { htmlToJudge } from '../domain/description.ts';
import type { HeldCategory, Job } from '../domain/job.ts';
import { decideChange, nextVersion } from '../domain/job-change.ts';
import type { CreateDependencies, Written } from './create-job.ts';
import { withCurrentNames } from './current-names.ts';
import type { JudgeHtml } from './judge-html.ts';
import { type IfMatch, referenceTaken, requireVersion } from './refusals.ts';
import { requesterOf } from './requester.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import type { SentCategories, UnknownCategories } from './unknown-categories.ts';

interface ChangeDependencies extends Pick<
  CreateDependencies,
  'clock' | 'jobs' | 'categoryNames' | 'categories'
> {
  readonly judgeHtml: JudgeHtml;
  readonly unknown: UnknownCategories;
}

/** A job to change. `load` reads it anew for each attempt. */
export interface ChangeRequest {
  readonly load: () => Promise<Job | undefined>;
  readonly changes: JobChanges;
  readonly ifMatch: IfMatch;
  readonly context: CallContext;
}

interface Assigned {
  readonly categories: readonly HeldCategory[];
  readonly created: readonly Warning[];
  readonly commitBy: number;
}

export type ChangeJob = ReturnType<typeof jobChange>;

/** Changes a job by compare-and-set on its version; where another write was faster, it decides anew. */
export function jobChange(dependencies: ChangeDependencies) {
  const { clock, jobs, categoryNames, categories, judgeHtml, unknown } = dependencies;

  const assign = async (before: Job, { changes, context }: ChangeRequest): Promise<Assigned> => {
    const sent = changes.categories === undefined ? undefined : plainReferences(changes.categories ?? []);
    const held = sent === undefined ? before.categories : resolveHeld(before.categories, sent);
    if (held || !sent) return { categories: held ?? [], created: [], commitBy: Infinity };
    const acquisition = { companyId: before.company.id, jobId: before.id, version: before.version + 1 };
    const acquired = await categories.acquire({ ...acquisition, categories: sent }, context);
    return {
      categories: foldById(acquired.categories),
      created: createdWarnings(acquired.categories),
      commitBy: acquired.commitBy,
    };
  };

  /** The categories sent that the job does not have: what it has is known to exist. */
  const newCategories = (
    { company, categories: held }: Job,
    { categories: sent }: JobChanges,
  ): SentCategories => ({
    companyId: company.id,
    categories: sent?.map((category) => (held.some(({ id }) => id === category.id) ? {} : category)),
  });

  const decide = async (before: Job, { changes, context }: ChangeRequest, now: number) => {
    const html = htmlToJudge(before, changes);
    const faults = html === undefined ? [] : await judgeHtml(html, context.deadline);
    const decision = () => decideChange(before, changes, now, () => faults);
    return unknown.alongside(decision, newCategories(before, changes), context);
  };

  /** Only a short cut: it spares a refused request its categories. The unique index decides. */
  const refuseTaken = async (before: Job, after: Job, { changes, context }: ChangeRequest): Promise<void> => {
    const { referenceId, company } = after;
    if (referenceId === null || referenceId === before.referenceId) return;
    const id = await jobs.findIdByReference({ companyId: company.id, referenceId });
    if (id === undefined || id === before.id) return;
    await unknown.refuse(newCategories(before, changes), context);
    throw await referenceTaken(jobs, company.id, referenceId);
  };

  /** References that the job does not have any more are released by the version that dropped them. */
  const release = async (before: Job, after: Job, hadConflict: boolean, context: CallContext) => {
    const kept = after.categories.map(({ id }) => id);
    if (hadConflict || before.categories.some(({ id }) => !kept.includes(id) && !categories.isSystem({ id })))
      await categories.release(after.id, after.version, kept, context);
  };

  /** Resolves to undefined where there is no such job. */
  return (request: ChangeRequest): Promise<Written | undefined> => {
    const { load, changes, ifMatch, context } = request;
    const created: Warning[] = [];
    return retryOnConflict(context.deadline, async (run) => {
      const stored = await load();
      if (!stored) return undefined;
      const now = clock.now();
      const before = await jobs.storeDueTransitions(stored, now, context.deadline);
      requireVersion(before, ifMatch);
      const decided = await decide(before, request, now);
      await refuseTaken(before, decided.job, request);
      const assigned = await assign(before, request);
      created.push(...assigned.created);
      const warnings = [...decided.warnings, ...created];
      const after = { ...decided.job, categories: assigned.categories };
      const next = nextVersion(before, after, now, requesterOf(context));
      if (!next) return { job: before, warnings };
      const commitBy = Math.min(context.deadline, assigned.commitBy);
      const saved = await jobs.replace(before, next.job, { change: next.change, commitBy });
      if (saved === 'taken') throw await referenceTaken(jobs, before.company.id, next.job.referenceId);
      const [job] = await Promise.all([
        withCurrentNames(categoryNames, next.job),
        release(before, next.job, run > 0 && changes.categories !== undefined, context),
      ]);
      return { job, warnings };
    });
  };
}
