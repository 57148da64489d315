import type { CallContext } from '@joblisting/bus';
import type { Requester } from '../domain/change.ts';

/** Who asks, as the change that they ask for says it. */
export const requesterOf = ({ principal, requestId }: CallContext): Requester => ({
  ...(principal && { requestedBy: { consumerId: principal.consumerId, userId: principal.userId } }),
  requestId,
});
