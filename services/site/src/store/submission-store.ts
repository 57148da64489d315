import type { Mongo } from '@joblisting/service-kit';
import { type SubmissionDocument, submissionModel } from '../models/submission.ts';

export type SubmissionStore = ReturnType<typeof submissionStore>;

/** As long as the API knows an Idempotency-Key. */
const KEPT_MS = 24 * 3600_000;

export function submissionStore(mongo: Mongo) {
  const submissions = submissionModel(mongo);
  return {
    /** When the form with this reference was first sent: now, unless it was sent before. */
    firstSentAt: async (reference: string, now: number): Promise<Date> => {
      const times = { consentAt: new Date(now), expireAt: new Date(Date.now() + KEPT_MS) };
      const { consentAt } = await submissions
        .findOneAndUpdate(
          { _id: reference },
          { $setOnInsert: times },
          { upsert: true, returnDocument: 'after' },
        )
        .lean<SubmissionDocument>();
      return consentAt;
    },
  };
}
