import { isDuplicateKey, type Mongo } from '@joblisting/service-kit';
import { type ReportDocument, reportModel } from '../models/report.ts';

export type ReportStore = ReturnType<typeof reportStore>;

/** A view or click-through that counts. `at` in epoch ms. */
export interface ReportedEvent {
  readonly id: string;
  readonly jobId: number;
  readonly type: ReportDocument['type'];
  readonly at: number;
}

const toEvent = ({ _id, jobId, type, at }: ReportDocument): ReportedEvent => ({
  id: _id,
  jobId,
  type,
  at: at.getTime(),
});

/** The outbox of events that wait to be reported. */
export function reportStore(mongo: Mongo, most: number) {
  const reports = reportModel(mongo);
  const waiting = (): Promise<number> => reports.estimatedDocumentCount().exec();

  return {
    waiting,

    /** False if the outbox is full. An event that waits already stays as it is. */
    add: async ({ id, jobId, type, at }: ReportedEvent): Promise<boolean> => {
      if ((await waiting()) >= most) return false;
      await reports.insertOne({ _id: id, jobId, type, at: new Date(at) }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
      return true;
    },

    /** When the event came that waits for the longest time, in epoch ms; undefined if none waits. */
    oldestAt: async (): Promise<number | undefined> =>
      (await reports.findOne().sort({ at: 1 }).lean<ReportDocument>())?.at.getTime(),

    oldest: async (limit: number): Promise<ReportedEvent[]> =>
      (await reports.find().sort({ at: 1 }).limit(limit).lean<ReportDocument[]>()).map(toEvent),

    remove: async (events: readonly ReportedEvent[]): Promise<void> => {
      await reports.deleteMany({ _id: { $in: events.map(({ id }) => id) } });
    },
  };
}
