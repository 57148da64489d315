import type { createLink } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { MakeLink } from './link-making.ts';

/** The link of one job. */
export const createLinkHandler =
  (make: MakeLink): Handler<typeof createLink> =>
  async ({ body, context }) => ({ data: await make(body.jobId, context.deadline) });
