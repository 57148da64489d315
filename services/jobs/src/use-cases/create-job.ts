import type { CallContext } from '@joblisting/bus';
import type { Warning } from '@joblisting/contracts';
import { type Clock, type KeptAnswer, ownCall, keyInFlight } from '@joblisting/service-kit';
import { createdWarnings, foldById } from '../domain/categories.ts';
import { creationOf } from '../domain/change.ts';
import type { Job } from '../domain/job.ts';
import { type DecidedJob, makeJob } from '../domain/new-job.ts';
import type { CategoriesPeer } from '../peers/categories.ts';
import type { CompaniesPeer } from '../peers/companies.ts';
import type { LinksPeer } from '../peers/links.ts';
import type { AnswerStore } from '../store/answer-store.ts';
import type { CategoryStore } from '../store/category-store.ts';
import type { JobStore } from '../store/job-store.ts';
import { withCurrentNames } from './current-names.ts';
import { afterCommit } from './refusals.ts';
import { requesterOf } from './requester.ts';
import type { TakeBack } from './take-back.ts';

export interface CreateDependencies {
  readonly clock: Clock;
  readonly newId: () => Promise<number>;
  readonly jobs: JobStore;
  readonly answers: AnswerStore;
  readonly categoryNames: CategoryStore;
  readonly categories: CategoriesPeer;
  readonly companies: CompaniesPeer;
  readonly links: LinksPeer;
  readonly takeBack: TakeBack;
}

export interface Written {
  readonly job: Job;
  readonly warnings: readonly Warning[];
}

/** A decided job to make, and for whom. */
export interface CreateRequest {
  readonly decided: DecidedJob;
  readonly companyId: number;
  readonly context: CallContext;
  /**
   * Told of the job just before it is committed. What it returns, where it returns something, is committed with
   * the job. `now`: epoch milliseconds
   */
  readonly keep?: (made: Written, now: number) => KeptAnswer | undefined;
}

const ABANDON_LIMIT_MS = 1000;

export type CreateJob = ReturnType<typeof jobCreation>;

/** Makes a decided job: its categories are counted and its link is made before it is committed in one insert. */
export function jobCreation(dependencies: CreateDependencies) {
  const { clock, newId, jobs, answers, categoryNames, categories, companies, links, takeBack } = dependencies;

  const prepare = async (jobId: number, companyId: number, decided: DecidedJob, context: CallContext) => {
    const acquisition = { companyId, jobId, version: 1, categories: decided.categories };
    const [company, link, acquired] = await Promise.allSettled([
      companies.get(companyId, context),
      links.createLink(jobId, context),
      categories.acquire(acquisition, context),
    ]);
    return { company: valueOf(company), link: valueOf(link), acquired: valueOf(acquired) };
  };

  /**
   * Takes back what was prepared for a job that is certain not to exist. Where that fails, and where it is not
   * certain, the sweeps of `categories` and `shortlink` do it.
   */
  const abandon = async (id: number, { categories: named }: DecidedJob) => {
    const context = ownCall(ABANDON_LIMIT_MS);
    await Promise.all([
      !named.every(categories.isSystem) && categories.release(id, 1, [], context),
      links.removeLinks([id], context).catch(() => undefined),
    ]);
  };

  /**
   * Another process may have used the key, and deleted its job, since this request looked: the unique index of the
   * jobs cannot see that. Looked at after the insert, the tombstone is there for certain.
   */
  const refuseBuried = async ({ key }: KeptAnswer, job: Job): Promise<void> => {
    if (!(await afterCommit(answers.isBuried(key)))) return;
    await afterCommit(takeBack(job));
    throw keyInFlight();
  };

  /**
   * Resolves to undefined where the company already has a job with the referenceId, or a job was created already
   * with the key of the answer to keep. Throws `idempotency_key_in_flight` where that one is deleted by now.
   */
  return async ({ decided, companyId, context, keep }: CreateRequest): Promise<Written | undefined> => {
    const id = await newId();
    let prepared: Awaited<ReturnType<typeof prepare>>;
    try {
      prepared = await prepare(id, companyId, decided, context);
    } catch (error) {
      await abandon(id, decided);
      throw error;
    }
    const { company, link, acquired } = prepared;
    const job = makeJob(decided, { id, company, link, categories: foldById(acquired.categories) });
    const now = clock.now();
    const made = { job, warnings: [...decided.warnings, ...createdWarnings(acquired.categories)] };
    const answer = keep?.(made, now);
    const commitBy = Math.min(context.deadline, acquired.commitBy);
    const change = creationOf(job, now, requesterOf(context));
    if ((await jobs.insert(job, { change, commitBy }, answer)) === 'taken') {
      await abandon(id, decided);
      return undefined;
    }
    if (answer) await refuseBuried(answer, job);
    const current = await withCurrentNames(categoryNames, job);
    return answer ? made : { ...made, job: current };
  };
}

function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
