import type { Mongo } from '@joblisting/service-kit';
import { jobsName, type TombstoneDocument, tombstonesName } from './collections.ts';
import type { OutboxEvent } from './job-document.ts';

export type OutboxStore = ReturnType<typeof outboxStore>;

/** The transitions of one job that are still to be published, in their order. */
export interface Outgoing {
  readonly jobId: number;
  readonly companyId: number;
  readonly events: readonly OutboxEvent[];
}

/** What jobs and tombstones have in common. */
type Holder = Pick<TombstoneDocument, '_id' | 'companyId' | 'events'>;

/** Of jobs, and of deleted jobs: a transition that has come is told, though the job is gone. */
export const outboxes = (mongo: Mongo): readonly OutboxStore[] => [
  outboxStore(mongo, jobsName),
  outboxStore(mongo, tombstonesName),
];

/** Transitions wait inside their document until they are published: they commit with the change, or not at all. */
function outboxStore(mongo: Mongo, collection: string) {
  const holders = mongo.collection<Holder>(collection);

  return {
    /** The jobs whose transitions have waited longest. */
    oldest: async (limit: number): Promise<Outgoing[]> => {
      const found = await holders
        .find({ 'events.recordedAt': { $exists: true } })
        .project<Required<Holder>>({ companyId: 1, events: 1 })
        .sort({ 'events.recordedAt': 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, companyId, events }) => ({ jobId: _id, companyId, events }));
    },

    /** Since when the oldest transition waits, in epoch milliseconds; undefined where none does. */
    waitingSince: async (): Promise<number | undefined> => {
      const [oldest] = await holders
        .find({ 'events.recordedAt': { $exists: true } })
        .project<Required<Pick<Holder, 'events'>>>({ 'events.recordedAt': 1 })
        .sort({ 'events.recordedAt': 1 })
        .limit(1)
        .toArray();
      return oldest && Math.min(...oldest.events.map(({ recordedAt }) => recordedAt.getTime()));
    },

    /** Removes just these transitions: one that was added meanwhile stays. */
    clear: async (outgoing: readonly Outgoing[]): Promise<void> => {
      const keys = outgoing.flatMap(({ events }) => events.map(({ key }) => key));
      await holders.updateMany(
        { _id: { $in: outgoing.map(({ jobId }) => jobId) } },
        { $pull: { events: { key: { $in: keys } } } },
      );
    },
  };
}
