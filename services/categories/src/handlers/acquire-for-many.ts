import { type acquireForMany, type AssignedCategory, ServiceError, toErrorBody } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { ReferenceStore } from '../store/reference-store.ts';

/** As for each job by itself: those that are refused do not keep the others from theirs. */
export function acquireForManyHandler(
  references: ReferenceStore,
  tellChange: () => void,
): Handler<typeof acquireForMany> {
  return async ({ body, context }) => {
    const settled = await Promise.allSettled(
      body.acquisitions.map((acquisition) => references.acquire(acquisition, context.deadline)),
    );
    const outcomes = settled.map(outcomeOf);
    if (outcomes.some(({ categories }) => categories?.some(({ created }) => created))) tellChange();
    return { data: { outcomes } };
  };
}

function outcomeOf(settled: PromiseSettledResult<AssignedCategory[]>) {
  if (settled.status === 'fulfilled') return { categories: settled.value };
  if (settled.reason instanceof ServiceError) return { error: toErrorBody(settled.reason) };
  throw settled.reason;
}
