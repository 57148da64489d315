import {
  type acquireForMany,
  type AssignedCategory,
  fromErrorBody,
  type ReplyOf,
  ServiceError,
  toErrorBody,
} from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { ReferenceStore } from '../store/reference-store.ts';

type Outcome = ReplyOf<typeof acquireForMany>['outcomes'][number];

/**
 * As for each job by itself: those that are refused do not keep the others from theirs. Rejects where there is nothing
 * for any of them, and not for what they ask for: whoever watches this service sees refusals only of whole requests.
 */
export function acquireForManyHandler(
  references: ReferenceStore,
  tellChange: () => void,
): Handler<typeof acquireForMany> {
  return async ({ body, context }) => {
    const settled = await Promise.allSettled(
      body.acquisitions.map((acquisition) => references.acquire(acquisition, context.deadline)),
    );
    const outcomes = settled.map(outcomeOf);
    const [first] = outcomes;
    if (first?.error && outcomes.every(({ error }) => error && error.code !== 'validation_failed'))
      throw fromErrorBody(first.error);
    if (outcomes.some(({ categories }) => categories?.some(({ created }) => created))) tellChange();
    return { data: { outcomes } };
  };
}

function outcomeOf(settled: PromiseSettledResult<AssignedCategory[]>): Outcome {
  if (settled.status === 'fulfilled') return { categories: settled.value };
  if (settled.reason instanceof ServiceError) return { error: toErrorBody(settled.reason) };
  throw settled.reason;
}
