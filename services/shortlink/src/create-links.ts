import type { createLinks } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { MakeLink } from './link-making.ts';

/** The links of several jobs. Rejects only where there is none at all, as each of them would. */
export function createLinksHandler(make: MakeLink): Handler<typeof createLinks> {
  return async ({ body, context }) => {
    const outcomes = await Promise.allSettled(
      body.jobIds.map(async (jobId) => ({ jobId, ...(await make(jobId, context.deadline)) })),
    );
    const links = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const [first] = outcomes;
    if (links.length === 0 && first?.status === 'rejected') throw first.reason;
    return { data: { links } };
  };
}
