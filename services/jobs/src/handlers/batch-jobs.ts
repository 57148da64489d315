import { type batchJobs, deadlineExceeded, isNotExecuted } from '@joblisting/contracts';
import { type Handler, type KeptAnswer, refusalOfDatabaseError } from '@joblisting/service-kit';
import type { CallContext } from '@joblisting/bus';
import { type ItemAnswer, type ItemDeps, jsonOf, putItems } from './put-items.ts';

export interface BatchDeps extends ItemDeps {
  /** Stores the answer to an Idempotency-Key. Rejects with `idempotency_key_in_flight` if it has one already. */
  readonly keepAnswer: (answer: KeptAnswer, deadline: number) => Promise<void>;
}

/** Creates or changes many jobs, each item by itself. Throws `validation_failed` without a usable list. */
export const batchJobsHandler =
  (deps: BatchDeps): Handler<typeof batchJobs> =>
  async ({ params: { dryRun = false }, body, violations, warnings, context, keep, note }) => {
    const answers = await putItems(deps, { items: body.items, violations, warnings, dryRun, context });
    const statuses = Map.groupBy(answers, ({ status }) => status);
    note({
      items: answers.length,
      ...Object.fromEntries([...statuses].map(([status, { length }]) => [status, length])),
    });
    const data = jsonOf(answers);
    if (keep && isFinal(answers)) await storeAnswer(deps, keep({ data }, deps.clock.now()), context);
    return { data };
  };

/** A batch with items to send again leaves its key free: sent again, it executes these, and finds the others done. */
export const isFinal = (answers: readonly ItemAnswer[]): boolean =>
  answers.every(({ outcome }) => outcome !== undefined);

/** Stores the answer to an Idempotency-Key after the effect. Before a crash in between, the effect can be repeated. */
export async function storeAnswer(
  { keepAnswer }: BatchDeps,
  answer: KeptAnswer,
  { deadline }: CallContext,
): Promise<void> {
  try {
    await keepAnswer(answer, deadline);
  } catch (error) {
    // Jobs are written already, so a failure must not say that nothing was executed.
    if (isNotExecuted(refusalOfDatabaseError(error))) throw deadlineExceeded('deadline', error);
    throw error;
  }
}
