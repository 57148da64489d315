import type { Mongo } from '@joblisting/service-kit';
import {
  jobsName,
  outboxIndex,
  settlementsName,
  settlementsOf,
  type TombstoneDocument,
  tombstonesName,
} from './collections.ts';
import { inChunks } from './in-chunks.ts';
import { isAnyIn } from './is-any.ts';
import { type OutboxEvent, toEvents } from './job-document.ts';
import type { SettlementDocument } from './settlement-document.ts';
import { outcomeOf } from './settlements.ts';

/** Transitions of one job that are still to be published, in their order. More of it may wait elsewhere. */
export interface Outgoing {
  readonly jobId: number;
  readonly companyId: number;
  readonly events: readonly OutboxEvent[];
}

export interface OutgoingChunk {
  readonly outgoing: readonly Outgoing[];
  /** Takes out those that were published. */
  readonly clear: (published: readonly Outgoing[]) => Promise<void>;
}

/** Where transitions wait that commit with the change, or not at all. */
export interface OutboxStore {
  /** The jobs with transitions that wait, some `size` at a time, those first that have waited longest. */
  readonly waiting: (size: number) => AsyncGenerator<OutgoingChunk>;
  /** Since when the oldest transition waits, in epoch milliseconds; undefined where none does. */
  readonly waitingSince: () => Promise<number | undefined>;
}

const waiting = { 'events.recordedAt': { $exists: true } } as const;
const closed = { open: { $exists: false } } as const;

/** What jobs and tombstones have in common. */
type Holder = Pick<TombstoneDocument, '_id' | 'companyId' | 'events'>;

/** Of many jobs at once, of jobs, and of deleted jobs: a transition that has come is told, though the job is gone. */
export const outboxes = (mongo: Mongo) => ({
  settlements: outboxOfSettlements(mongo),
  jobs: outboxOf(mongo, jobsName),
  tombstones: outboxOf(mongo, tombstonesName),
});

/** Something for each outbox. */
export type OfOutboxes<T> = Readonly<Record<keyof ReturnType<typeof outboxes>, T>>;

/** Transitions that a request has made, or was faster to store than a settlement, wait inside their document. */
function outboxOf(mongo: Mongo, collection: string): OutboxStore {
  const holders = mongo.collection<Holder>(collection);
  const isAny = isAnyIn<Holder>(mongo, collection);

  /**
   * Removes just these transitions: one that was added meanwhile stays. Most jobs have one, and lose the whole
   * field: that costs less, and leaves no empty one behind.
   */
  const clear = async (published: readonly Outgoing[]): Promise<void> => {
    const single = Map.groupBy(
      published.filter(({ events }) => events.length === 1),
      ({ events }) => events[0]?.version,
    );
    const several = published.filter(({ events }) => events.length > 1);
    await holders.bulkWrite(
      [
        ...[...single].map(([version, some]) => dropOnly(version, some)),
        ...(several.length > 0 ? [pull(several)] : []),
      ],
      { ordered: false },
    );
  };

  return {
    waiting: async function* (size) {
      if (!(await isAny(waiting, outboxIndex.name))) return;
      const found = holders
        .find(waiting)
        .project<Required<Holder>>({ companyId: 1, events: 1 })
        .sort({ 'events.recordedAt': 1 })
        .batchSize(size);
      for await (const chunk of inChunks(found, size))
        yield {
          outgoing: chunk.map(({ _id, companyId, events }) => ({ jobId: _id, companyId, events })),
          clear,
        };
    },

    waitingSince: async () => {
      const [oldest] = await holders
        .find(waiting)
        .project<Required<Pick<Holder, 'events'>>>({ 'events.recordedAt': 1 })
        .sort({ 'events.recordedAt': 1 })
        .limit(1)
        .toArray();
      return oldest && Math.min(...oldest.events.map(({ recordedAt }) => recordedAt.getTime()));
    },
  };
}

/** Each settlement that is closed is a chunk. Those that are open are none yet: who lost a job is not known. */
function outboxOfSettlements(mongo: Mongo): OutboxStore {
  const settlements = settlementsOf(mongo);
  const isAny = isAnyIn<SettlementDocument>(mongo, settlementsName);

  const clear = async (
    { _id }: SettlementDocument,
    some: readonly Outgoing[],
    all: number,
  ): Promise<void> => {
    if (some.length === all) await settlements.deleteOne({ _id });
    else {
      const published = { $in: some.map(({ jobId }) => jobId) };
      await settlements.updateOne({ _id }, { $pull: { 'groups.$[].members.$[].jobIds': published } });
    }
  };

  return {
    waiting: async function* () {
      if (!(await isAny(closed))) return;
      // Each is as large as a chunk by itself.
      const found = settlements.find(closed).sort({ recordedAt: 1 }).batchSize(10);
      for await (const settlement of found) {
        const outgoing = outgoingOf(settlement);
        yield { outgoing, clear: (published) => clear(settlement, published, outgoing.length) };
      }
    },

    waitingSince: async () => {
      const sort = { recordedAt: 1 } as const;
      const oldest = await settlements.findOne({}, { sort, projection: { recordedAt: 1 } });
      return oldest?.recordedAt.getTime();
    },
  };
}

function outgoingOf({ groups, recordedAt, lost = [] }: SettlementDocument): Outgoing[] {
  const now = recordedAt.getTime();
  const isLost = new Set(lost);
  return groups.flatMap(({ timeline, members }) => {
    const { passed } = outcomeOf(timeline, now);
    return members.flatMap(({ companyId, jobIds }) =>
      jobIds
        .filter((jobId) => !isLost.has(jobId))
        .map((jobId) => ({ jobId, companyId, events: toEvents(jobId, passed, now) })),
    );
  });
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
