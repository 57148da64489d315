import { type createLinks, ServiceError } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { MakeLink } from './link-making.ts';

/** The answer is on its way before the caller gives up. */
const AWAY_MS = 15;

/** The links of several jobs. Those for which there was no time are left out; rejects where that is all of them. */
export function createLinksHandler(make: MakeLink): Handler<typeof createLinks> {
  return async ({ body, context: { deadline } }) => {
    const { promise: timeUp, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(tooLate()), deadline - AWAY_MS - Date.now());
    const makeInTime = async (jobId: number) => ({
      jobId,
      ...(await Promise.race([make(jobId, deadline), timeUp])),
    });
    const settled = await Promise.allSettled(body.jobIds.map(makeInTime));
    clearTimeout(timer);
    const links = settled.flatMap(linkIn);
    if (links.length === 0) throw tooLate();
    return { data: { links } };
  };
}

const tooLate = () => new ServiceError('deadline_exceeded');

function linkIn<T>(settled: PromiseSettledResult<T>): T[] {
  if (settled.status === 'fulfilled') return [settled.value];
  const { reason } = settled;
  if (reason instanceof ServiceError && reason.code === 'deadline_exceeded') return [];
  throw reason;
}
