import type { WebhookAttempt } from '@joblisting/contracts';
import { inTransaction, type KeptAnswer, type Mongo } from '@joblisting/service-kit';
import type { keptAnswersIn } from '@joblisting/service-kit/mongo';
import type { ClientSession } from 'mongoose';
import type { Attempt } from '../domain/attempt.ts';
import { type AttemptDocument, attemptModel, newAttemptId } from '../models/attempt.ts';

export type AttemptStore = ReturnType<typeof attemptStore>;

type Keep = (made: WebhookAttempt) => KeptAnswer;

const RETENTION_MS = 30 * 24 * 3600_000;
/** Of one webhook. */
const MAX_ATTEMPTS = 1000;

/** What was attempted, for 30 days, and the last 1,000 of each webhook. */
export function attemptStore(mongo: Mongo, answers: ReturnType<typeof keptAnswersIn>) {
  const attempts = attemptModel(mongo);

  const insert = async (
    made: readonly Attempt[],
    session: ClientSession,
  ): Promise<readonly WebhookAttempt[]> => {
    const removeAt = new Date(Date.now() + RETENTION_MS);
    const documents = made.map((attempt) => toDocument(attempt, removeAt));
    await attempts.insertMany(documents, { lean: true, session });
    return documents.map(toAttempt);
  };

  return {
    insert,

    /** Adds the attempt of a test, with the answer that is kept for an Idempotency-Key. */
    insertTest: (attempt: Attempt, deadline: number, keep?: Keep): Promise<WebhookAttempt> =>
      inTransaction(mongo, deadline, async (session) => {
        const [inserted] = (await insert([attempt], session)) as [WebhookAttempt];
        if (keep) await answers.insertUnlessAnswered(keep(inserted), session);
        return inserted;
      }),

    page: async (
      webhookId: number,
      page: number,
      pageSize: number,
    ): Promise<{ total: number; found: readonly WebhookAttempt[] }> => {
      const total = await attempts.countDocuments({ webhookId });
      const found = await attempts
        .find({ webhookId })
        .sort({ at: -1, _id: -1 })
        .skip((page - 1) * pageSize)
        .limit(pageSize)
        .lean<AttemptDocument[]>();
      return { total, found: found.map(toAttempt) };
    },

    /** Removes those before the last 1,000 of a webhook. */
    trim: async (webhookId: number): Promise<void> => {
      const first = await attempts
        .findOne({ webhookId }, { at: 1 })
        .sort({ at: -1, _id: -1 })
        .skip(MAX_ATTEMPTS - 1)
        .lean();
      if (first) await attempts.deleteMany({ webhookId, at: { $lt: first.at } });
    },
  };
}

function toDocument(
  { webhookId, event, at, result, nextAttemptAt }: Attempt,
  removeAt: Date,
): AttemptDocument {
  const { outcome, status, durationMs } = result;
  return {
    _id: newAttemptId(),
    webhookId,
    eventId: event.id,
    type: event.type,
    at: new Date(at),
    durationMs,
    outcome,
    removeAt,
    ...(status !== undefined && { status }),
    ...(nextAttemptAt !== null && { nextAttemptAt: new Date(nextAttemptAt) }),
  };
}

const toAttempt = (stored: AttemptDocument): WebhookAttempt => ({
  id: stored._id.toString(),
  event: { id: stored.eventId, type: stored.type },
  at: stored.at.toISOString(),
  status: stored.status ?? null,
  durationMs: stored.durationMs,
  outcome: stored.outcome,
  nextAttemptAt: stored.nextAttemptAt?.toISOString() ?? null,
});
