import type { Mongo } from '@joblisting/service-kit';
import { jobsOf } from './collections.ts';
import type { JobDocument, OutboxEvent } from './job-document.ts';

export type OutboxStore = ReturnType<typeof outboxStore>;

/** The transitions of one job that are still to be published, in their order. */
export interface Outgoing {
  readonly jobId: number;
  readonly companyId: number;
  readonly events: readonly OutboxEvent[];
}

type Found = Required<Pick<JobDocument, '_id' | 'companyId' | 'events'>>;

/** Transitions wait inside their job until they are published: they commit with the change, or not at all. */
export function outboxStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);

  return {
    /** The jobs whose transitions have waited longest. */
    oldest: async (limit: number): Promise<Outgoing[]> => {
      const found = await jobs
        .find({ 'events.recordedAt': { $exists: true } })
        .project<Found>({ companyId: 1, events: 1 })
        .sort({ 'events.recordedAt': 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, companyId, events }) => ({ jobId: _id, companyId, events }));
    },

    /** Removes just these transitions: one that was added meanwhile stays. */
    clear: async (outgoing: readonly Outgoing[]): Promise<void> => {
      const keys = outgoing.flatMap(({ events }) => events.map(({ key }) => key));
      await jobs.updateMany(
        { _id: { $in: outgoing.map(({ jobId }) => jobId) } },
        { $pull: { events: { key: { $in: keys } } } },
      );
    },
  };
}
