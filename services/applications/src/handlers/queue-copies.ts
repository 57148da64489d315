import type { ParamsOf, sendCopies } from '@joblisting/contracts';
import {
  type BodyReader,
  type Clock,
  type Handler,
  parseJsonObject,
  type Result,
  type Sameness,
} from '@joblisting/service-kit';
import { toCopyReply } from '../domain/application.ts';
import type { Copy } from '../domain/copy.ts';
import type { ApplicationStore } from '../store/application-store.ts';
import { findOwn } from './own-application.ts';

/** A request without a body asks for the failed copies. */
export const readCopiesBody: BodyReader = (bytes) => (bytes.length === 0 ? {} : parseJsonObject(bytes));

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
