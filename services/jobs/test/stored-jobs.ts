import type { StatusId } from '@joblisting/contracts';
import type { Mongo } from '@joblisting/service-kit';
import { seededRandom } from '@joblisting/testing';
import { publishInstant } from '../src/domain/dates.ts';
import type { Job } from '../src/domain/job.ts';
import { jobStore } from '../src/store/job-store.ts';

export interface Stored {
  readonly _id: number;
  readonly companyId: number;
  readonly statusId: StatusId;
  readonly displayDate: string;
}

/** Puts jobs into the database. */
export function storedJobs(mongo: () => Mongo) {
  const random = seededRandom(7);
  let nextId = 1;
  const below = (limit: number) => Math.floor(random() * limit);
  const someStatus = () => ([1, 1, 2, 3, 5] as const)[below(5)] ?? 1;
  const someDay = () => new Date(Date.UTC(2025, 6, 1 + below(400))).toISOString().slice(0, 10);

  /** Jobs as something else than the service would put them into the database. */
  async function fill(companyId: number, many: number, more: Partial<Stored> = {}): Promise<Stored[]> {
    const made = Array.from({ length: many }, () => {
      const job = { _id: nextId++, companyId, statusId: someStatus(), displayDate: someDay(), ...more };
      const counts = { view: 0, application: 0, clickThrough: 0 };
      return {
        ...job,
        publishAt: new Date(publishInstant(job.displayDate)),
        closeAt: null,
        counts,
        version: 1,
        uncounted: true,
      };
    });
    await mongo().collection<Stored>('jobs').insertMany(made);
    return made.map(({ _id, statusId, displayDate }) => ({ _id, companyId, statusId, displayDate }));
  }

  const load = async (id: number) => (await jobStore(mongo()).find(id)) as Job;

  return { fill, load };
}
