import { type createLinks, ServiceError } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { MakeLink } from './link-making.ts';

/** The links of several jobs. Those for which there was no time are left out. */
export function createLinksHandler(make: MakeLink): Handler<typeof createLinks> {
  return async ({ body, context }) => {
    const settled = await Promise.allSettled(
      body.jobIds.map(async (jobId) => ({ jobId, ...(await make(jobId, context.deadline)) })),
    );
    return { data: { links: settled.flatMap(linkIn) } };
  };
}

function linkIn<T>(settled: PromiseSettledResult<T>): T[] {
  if (settled.status === 'fulfilled') return [settled.value];
  if (settled.reason instanceof ServiceError) return [];
  throw settled.reason;
}
