import type { CallContext } from '@joblisting/bus';
import { errorCodes, type JobChanges, ServiceError, type Violation } from '@joblisting/contracts';
import { type KeptAnswer, keyInFlight, ownCall } from '@joblisting/service-kit';
import { createdWarnings, foldById } from '../domain/categories.ts';
import { creationOf, deletionOf } from '../domain/change.ts';
import { blankContent, brokenProperties, withoutBroken } from '../domain/content.ts';
import { htmlToJudge } from '../domain/description.ts';
import type { Job } from '../domain/job.ts';
import { type DecidedJob, decideNew, makeJob } from '../domain/new-job.ts';
import { requesterOf } from './caller.ts';
import type { WrittenJob } from './change-job.ts';
import type { Acquired } from '../clients/categories.ts';
import type { Deps } from './deps.ts';
import { afterCommit } from './refusals.ts';

/** A decided job to create, and who requested it. */
export interface NewJobRequest {
  readonly decided: DecidedJob;
  readonly companyId: number;
  readonly context: CallContext;
  /**
   * Called just before the job is committed. The answer that it returns, if any, is stored with the job. `now`: epoch
   * ms.
   */
  readonly keep?: (made: WrittenJob, now: number) => KeptAnswer | undefined;
}

/** Clean-up ignores the deadline of the client, because references, links or a job must not stay behind. */
const UNDO_LIMIT_MS = 1000;

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
  const { company, categories, ...valid } = withoutBroken(body, brokenProperties(shape));
  const html = htmlToJudge(blankContent, valid);
  const verdict = html === undefined ? undefined : await judgeHtml(html, context.deadline);
  return unknown.alongside(
    () => decideNew(body, shape, clock.now(), verdict && (() => verdict)),
    company && { companyId: company.id, categories },
    context,
  );
}

/**
 * Makes a decided job: acquires its categories and its link, then commits it in one insert. Resolves to undefined if
 * the company already has a job with the referenceId, or a job was already created with the key of the answer. Throws
 * `idempotency_key_in_flight` if that job is deleted by now. The link comes after all that can refuse, so a refused
 * request leaves nothing.
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
  if ((await deps.jobs.insert(job, { change, commitBy }, answer)) === 'duplicate') {
    await abandon(deps, id, decided);
    return undefined;
  }
  if (answer) await refuseBuried(deps, answer, job);
  const current = await afterCommit(deps.categoryNames.withCurrentNames(job));
  return answer ? made : { ...made, job: current };
}

/** What `makeNewJob` would make, without doing it: the job has no id yet, which 0 says, and so no short link. */
export async function previewNewJob(
  { companies, categories, links }: Deps,
  { decided, companyId, context }: NewJobRequest,
): Promise<WrittenJob> {
  const company = await companies.get(companyId, context);
  const { categories: assigned } = await categories.preview(
    { companyId, categories: decided.categories },
    context,
  );
  const made = { id: 0, company, link: links.fallback(0), categories: foldById(assigned) };
  return { job: makeJob(decided, made), warnings: [...decided.warnings, ...createdWarnings(assigned)] };
}

/** Acquires the categories of a new job. After a refusal, the id is free for another job. */
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

/** True if nothing was done. After any other error, something may still be done. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && !['timeout', 'internal'].includes(errorCodes[error.code].kind);

/**
 * Removes the references and the link of a job that certainly does not exist. If that fails, or the job may exist, the
 * sweeps of `categories` and `shortlink` remove them.
 */
async function abandon({ categories, links }: Deps, id: number, { categories: named }: DecidedJob) {
  const context = ownCall(UNDO_LIMIT_MS);
  await Promise.all([
    !named.every(categories.isSystem) && categories.release(id, 1, [], context),
    links.removeLinks([id], context).catch(() => undefined),
  ]);
}

/**
 * Since this request looked, another process may have used the key and deleted its job, which the unique index of jobs
 * cannot detect. After the insert, the tombstone certainly exists.
 */
async function refuseBuried(deps: Deps, { key }: KeptAnswer, job: Job): Promise<void> {
  const { answers, clock, tombstones, cleanUp } = deps;
  if (!(await afterCommit(answers.isBuried(key)))) return;
  const change = deletionOf(job, clock.now(), {});
  await afterCommit(tombstones.discard(job, change, Date.now() + UNDO_LIMIT_MS));
  await cleanUp([job.id]);
  throw keyInFlight();
}
