import type { Mongo } from '@joblisting/service-kit';
import { jobsName, type TombstoneDocument, tombstonesName } from './collections.ts';
import { inChunks } from './in-chunks.ts';
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
    /** The jobs with transitions that wait, `size` at a time, those first that have waited longest. */
    waiting: async function* (size: number): AsyncGenerator<Outgoing[]> {
      const found = holders
        .find({ 'events.recordedAt': { $exists: true } })
        .project<Required<Holder>>({ companyId: 1, events: 1 })
        .sort({ 'events.recordedAt': 1 })
        .batchSize(size);
      for await (const chunk of inChunks(found, size))
        yield chunk.map(({ _id, companyId, events }) => ({ jobId: _id, companyId, events }));
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

    /**
     * Removes just these transitions: one that was added meanwhile stays. Most jobs have one, and lose the whole
     * field: that costs less, and leaves no empty one behind.
     */
    clear: async (outgoing: readonly Outgoing[]): Promise<void> => {
      const single = Map.groupBy(
        outgoing.filter(({ events }) => events.length === 1),
        ({ events }) => events[0]?.version,
      );
      const several = outgoing.filter(({ events }) => events.length > 1);
      await holders.bulkWrite(
        [
          ...[...single].map(([version, some]) => dropOnly(version, some)),
          ...(several.length > 0 ? [pull(several)] : []),
        ],
        { ordered: false },
      );
    },
  };
}

const idsOf = (some: readonly Outgoing[]) => ({ $in: some.map(({ jobId }) => jobId) });

/** Of jobs that still have one event, of this version. */
const dropOnly = (version: number | undefined, some: readonly Outgoing[]) => ({
  updateMany: {
    filter: { _id: idsOf(some), events: { $size: 1 }, 'events.version': version },
    update: { $unset: { events: '' as const } },
  },
});

const pull = (some: readonly Outgoing[]) => ({
  updateMany: {
    filter: { _id: idsOf(some) },
    update: {
      $pull: { events: { key: { $in: some.flatMap(({ events }) => events.map(({ key }) => key)) } } },
    },
  },
});
