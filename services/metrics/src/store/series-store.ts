import { inSnapshot, type Mongo } from '@joblisting/service-kit';
import type { Period } from '../domain/period.ts';
import type { Series } from '../domain/series-reply.ts';
import { counterModel } from '../models/counter.ts';
import { dayIds, dayModel, readDayId } from '../models/day.ts';

export type SeriesStore = ReturnType<typeof seriesStore>;

/** The counts of single jobs by day. */
export function seriesStore(mongo: Mongo) {
  const counters = counterModel(mongo);
  const days = dayModel(mongo);

  return {
    /** As of one moment, so that the days of all time add up to the totals, but for those from before there were days. */
    read: (jobId: number, { from, to }: Period): Promise<Series> =>
      inSnapshot(mongo, async (snapshot) => {
        const totals = await counters.findOne({ _id: jobId }, { sources: 0 }, snapshot).lean();
        const found = await days
          .find({ _id: dayIds(jobId, from, to) }, null, snapshot)
          .sort({ _id: 1 })
          .lean();
        return {
          totals: totals ?? { view: 0, application: 0, clickThrough: 0 },
          days: found.map(({ _id, view, application, clickThrough }) => {
            const { day, source } = readDayId(_id);
            return { day, source, view, application, clickThrough };
          }),
        };
      }),
  };
}
