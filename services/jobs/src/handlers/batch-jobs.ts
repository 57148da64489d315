import { type batchJobs, deadlineExceeded, isNotExecuted } from '@joblisting/contracts';
import { type Handler, type KeptAnswer, refusalOfDatabaseError } from '@joblisting/service-kit';
import { type ItemDeps, jsonOf, putItems } from './put-items.ts';

interface BatchDeps extends ItemDeps {
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
    // A batch with items to send again leaves the key free: sent again, it executes these, and finds the others done.
    const isFinal = answers.every(({ status }) => status < 500);
    if (keep && isFinal) await store(deps, keep({ data }, deps.clock.now()), context.deadline);
    return { data };
  };

/** The jobs are written already, so a failure must not say that nothing was executed. */
async function store({ keepAnswer }: BatchDeps, answer: KeptAnswer, deadline: number): Promise<void> {
  try {
    await keepAnswer(answer, deadline);
  } catch (error) {
    if (isNotExecuted(refusalOfDatabaseError(error))) throw deadlineExceeded('deadline', error);
    throw error;
  }
}
