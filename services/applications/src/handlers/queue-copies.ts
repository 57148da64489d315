import type { ParamsOf, sendCopies } from '@joblisting/contracts';
import { type Clock, type Handler, type Result, type Sameness } from '@joblisting/service-kit';
import { toCopyReply } from '../domain/application.ts';
import type { Copy } from '../domain/copy.ts';
import type { ApplicationStore } from '../store/application-store.ts';
import { findOwn } from './own-application.ts';

export const copiesSameness: Partial<Sameness> = {
  scope: (params) => (params as ParamsOf<typeof sendCopies>).id,
};

/** Queues copies to be sent again. Throws `application_not_found`. */
export const sendCopiesHandler =
  (applications: ApplicationStore, clock: Clock, onQueued: () => void): Handler<typeof sendCopies> =>
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

const answerOf = (copies: readonly Copy[]): Result<typeof sendCopies> => ({ data: copies.map(toCopyReply) });
