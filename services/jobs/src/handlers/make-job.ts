import type { CallContext } from '@joblisting/bus';
import { errorCodes, type JobChanges, ServiceError, type Violation } from '@joblisting/contracts';
import { type KeptAnswer, keyInFlight, ownCall } from '@joblisting/service-kit';
import { createdWarnings, foldById } from '../domain/categories.ts';
import { creationOf, deletionOf } from '../domain/change.ts';
import { blankContent, brokenProperties, soundPart } from '../domain/content.ts';
import { htmlToJudge } from '../domain/description.ts';
import type { Job } from '../domain/job.ts';
import { type DecidedJob, decideNew, makeJob } from '../domain/new-job.ts';
import { requesterOf } from './caller.ts';
import type { WrittenJob } from './change-job.ts';
import type { Acquired } from '../clients/categories.ts';
import type { Deps } from './deps.ts';
import { afterCommit } from './refusals.ts';

/** A decided job to make, and for whom. */
export interface NewJobRequest {
  readonly decided: DecidedJob;
  readonly companyId: number;
  readonly context: CallContext;
  /** Called just before the job is committed: what it returns, if anything, is committed with it. `now`: epoch ms. */
  readonly keep?: (made: WrittenJob, now: number) => KeptAnswer | undefined;
}

/** The client waits meanwhile, but its deadline does not count: what was prepared, or made, must go. */
const TAKE_BACK_LIMIT_MS = 1000;

/**
 * Decides about a new job. Throws `validation_failed` with everything that is wrong: `shape`, rules, unknown
 * categories.
 */
export async function decideNewJob(
  { clock, judgeHtml, unknown }: Deps,
  body: JobChanges,
  shape: readonly Violation[],
  context: CallContext,
): Promise<DecidedJob> {
  const { company, categories, ...sound } = soundPart(body, brokenProperties(shape));
  const html = htmlToJudge(blankContent, sound);
  const verdict = html === undefined ? undefined : await judgeHtml(html, context.deadline);
  return unknown.alongside(
    () => decideNew(body, shape, clock.now(), verdict && (() => verdict)),
    company && { companyId: company.id, categories },
    context,
  );
}

/**
 * Makes a decided job: its categories are acquired and its link is made before it is committed in one insert. Resolves to
 * undefined where the company already has a job with the referenceId, or a job was created already with the key of the
 * answer to keep. Throws `idempotency_key_in_flight` where that one is deleted by now. The link comes after all that can
 * refuse, so a refused request leaves nothing.
 */
export async function makeNewJob(deps: Deps, request: NewJobRequest): Promise<WrittenJob | undefined> {
  const { decided, context, keep } = request;
  const company = await deps.companies.get(request.companyId, context);
  const id = await deps.newId();
  const acquired = await acquireCategories(deps, id, request);
  const link = await deps.links.createLink(id, context);
  const job = makeJob(decided, { id, company, link, categories: foldById(acquired.categories) });
  const now = deps.clock.now();
  const made = { job, warnings: [...decided.warnings, ...createdWarnings(acquired.categories)] };
  const answer = keep?.(made, now);
  const commitBy = Math.min(context.deadline, acquired.commitBy);
  const change = creationOf(job, now, requesterOf(context));
  if ((await deps.jobs.insert(job, { change, commitBy }, answer)) === 'taken') {
    await abandon(deps, id, decided);
    return undefined;
  }
  if (answer) await refuseBuried(deps, answer, job);
  const current = await afterCommit(deps.categoryNames.withCurrentNames(job));
  return answer ? made : { ...made, job: current };
}

/** Acquires the categories of a new job. Where that is refused, the id is free for another job. */
async function acquireCategories(
  deps: Deps,
  id: number,
  { decided, companyId, context }: NewJobRequest,
): Promise<Acquired> {
  const acquisition = { companyId, jobId: id, version: 1, categories: decided.categories };
  try {
    return await deps.categories.acquire(acquisition, context);
  } catch (error) {
    if (isRefusal(error)) deps.newId.giveBack(id);
    else await abandon(deps, id, decided);
    throw error;
  }
}

/** Nothing was done. Anything else may be done still. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && !['timeout', 'internal'].includes(errorCodes[error.code].kind);

/**
 * Takes back what was prepared for a job that is certain not to exist. Where that fails, and where it is not certain, the
 * sweeps of `categories` and `shortlink` do it.
 */
async function abandon({ categories, links }: Deps, id: number, { categories: named }: DecidedJob) {
  const context = ownCall(TAKE_BACK_LIMIT_MS);
  await Promise.all([
    !named.every(categories.isSystem) && categories.release(id, 1, [], context),
    links.removeLinks([id], context).catch(() => undefined),
  ]);
}

/**
 * Another process may have used the key, and deleted its job, since this request looked: the unique index of the jobs
 * cannot see that. After the insert, the tombstone is there for certain.
 */
async function refuseBuried(deps: Deps, { key }: KeptAnswer, job: Job): Promise<void> {
  const { answers, clock, tombstones, cleanUp } = deps;
  if (!(await afterCommit(answers.isBuried(key)))) return;
  const change = deletionOf(job, clock.now(), {});
  await afterCommit(tombstones.discard(job, change, Date.now() + TAKE_BACK_LIMIT_MS));
  await cleanUp([job.id]);
  throw keyInFlight();
}
