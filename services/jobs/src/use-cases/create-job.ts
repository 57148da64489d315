import type { CallContext } from '@joblisting/bus';
import type { Warning } from '@joblisting/contracts';
import { type Clock, type NextId, ownCall } from '@joblisting/service-kit';
import { createdWarnings, foldById } from '../domain/categories.ts';
import type { Job } from '../domain/job.ts';
import { type DecidedJob, firstTransition, makeJob } from '../domain/new-job.ts';
import type { CategoriesPeer } from '../peers/categories.ts';
import type { CompaniesPeer } from '../peers/companies.ts';
import type { LinksPeer } from '../peers/links.ts';
import type { CategoryStore } from '../store/category-store.ts';
import type { JobStore } from '../store/job-store.ts';
import { withCurrentNames } from './current-names.ts';
import { refusePast } from './refusals.ts';

export interface CreateDependencies {
  readonly clock: Clock;
  readonly nextId: NextId;
  readonly jobs: JobStore;
  readonly categoryNames: CategoryStore;
  readonly categories: CategoriesPeer;
  readonly companies: CompaniesPeer;
  readonly links: LinksPeer;
  readonly nudgeOutbox: () => void;
}

export interface Written {
  readonly job: Job;
  readonly warnings: readonly Warning[];
}

const ABANDON_LIMIT_MS = 1000;

export type CreateJob = ReturnType<typeof jobCreation>;

/** Makes a decided job: its categories are counted and its link is made before it is committed in one insert. */
export function jobCreation(dependencies: CreateDependencies) {
  const { clock, nextId, jobs, categoryNames, categories, companies, links, nudgeOutbox } = dependencies;

  const prepare = async (id: number, companyId: number, decided: DecidedJob, context: CallContext) => {
    const acquisition = { companyId, jobId: id, version: 1, categories: decided.categories };
    const [company, link, acquired] = await Promise.allSettled([
      companies.get(companyId, context),
      links.create(id, context),
      categories.acquire(acquisition, context),
    ]);
    return { company: valueOf(company), link: valueOf(link), acquired: valueOf(acquired) };
  };

  /** Takes back what was prepared for a job that is certain not to exist; where that fails, sweeps do it. */
  const abandon = async (id: number) => {
    const context = ownCall(ABANDON_LIMIT_MS);
    await Promise.all([
      categories.release(id, 1, [], context),
      links.remove([id], context).catch(() => undefined),
    ]);
  };

  /** Resolves to undefined where the company already has a job with the referenceId. */
  return async (
    decided: DecidedJob,
    companyId: number,
    context: CallContext,
  ): Promise<Written | undefined> => {
    const id = await nextId();
    let prepared: Awaited<ReturnType<typeof prepare>>;
    try {
      prepared = await prepare(id, companyId, decided, context);
      refusePast(Math.min(context.deadline, prepared.acquired.commitBy));
    } catch (error) {
      await abandon(id);
      throw error;
    }
    const { company, link, acquired } = prepared;
    const job = makeJob(decided, { id, company, link, categories: foldById(acquired.categories) });
    const now = clock.now();
    const transitions = firstTransition(job, now);
    if ((await jobs.insert(job, transitions, now)) !== 'done') {
      await abandon(id);
      return undefined;
    }
    if (transitions.length > 0) nudgeOutbox();
    const warnings = [...decided.warnings, ...createdWarnings(acquired.categories)];
    return { job: await withCurrentNames(categoryNames, job), warnings };
  };
}

function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
