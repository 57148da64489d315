import type { ParamsOf, queueCopies } from '@joblisting/contracts';
import { type Clock, type Handler, type Result, type RequestIdentity } from '@joblisting/service-kit';
import { toCopyReply } from '../domain/application.ts';
import type { Copy } from '../domain/copy.ts';
import type { ApplicationStore } from '../store/application-store.ts';
import { findOwn } from './own-application.ts';

export const copiesIdentity: Partial<RequestIdentity> = {
  scope: (params) => (params as ParamsOf<typeof queueCopies>).id,
};

/** Queues copies to be sent again. Throws `application_not_found`. */
export const queueCopiesHandler =
  (applications: ApplicationStore, clock: Clock, onQueued: () => void): Handler<typeof queueCopies> =>
  async ({ params, body, context, keep }) => {
    await findOwn(applications, params.id, context);
    const now = clock.now();
    const copies = await applications.queueCopies(params.id, {
      to: body.to ?? 'failed',
      now,
      deadline: context.deadline,
      keep: keep && ((queued) => keep(answerOf(queued), now)),
    });
    onQueued();
    return answerOf(copies);
  };

const answerOf = (copies: readonly Copy[]): Result<typeof queueCopies> => ({ data: copies.map(toCopyReply) });
