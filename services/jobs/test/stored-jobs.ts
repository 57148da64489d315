import type { StatusId } from '@joblisting/contracts';
import { expect } from '@jest/globals';
import type { Mongo } from '@joblisting/service-kit';
import { seededRandom } from '@joblisting/testing';
import { publishInstant } from '../src/domain/dates.ts';
import { deletionOf } from '../src/domain/change.ts';
import type { Job } from '../src/domain/job.ts';
import { nextVersion } from '../src/domain/job-change.ts';
import { jobStore } from '../src/store/job-store.ts';
import { tombstoneStore } from '../src/store/tombstone-store.ts';

export interface Stored {
  readonly _id: number;
  readonly companyId: number;
  readonly statusId: StatusId;
  readonly displayDate: string;
  readonly counted?: StatusId;
}

/** Inserts jobs into the database, and changes them as the service does. */
export function storedJobs(mongo: () => Mongo) {
  const random = seededRandom(7);
  let nextId = 1;
  const below = (limit: number) => Math.floor(random() * limit);
  const someStatus = () => ([1, 1, 2, 3, 5] as const)[below(5)] ?? 1;
  const someDay = () => new Date(Date.UTC(2025, 6, 1 + below(400))).toISOString().slice(0, 10);
  const soon = () => Date.now() + 20_000;

  /** Inserts jobs directly, without the service's code. */
  async function fill(companyId: number, many: number, more: Partial<Stored> = {}): Promise<Stored[]> {
    const made = Array.from({ length: many }, () => {
      const job = { _id: nextId++, companyId, statusId: someStatus(), displayDate: someDay(), ...more };
      const counts = { view: 0, application: 0, clickThrough: 0 };
      return {
        ...job,
        publishAt: new Date(publishInstant(job.displayDate)),
        closeAt: null,
        categories: [],
        typeIds: [],
        applicationEmails: [],
        title: 'Welder',
        description: 'Weld.',
        descriptionFormat: 'text',
        routingId: 1,
        uncounted: true,
        counts,
        version: 1,
      };
    });
    await mongo().collection<Stored>('jobs').insertMany(made);
    return made.map(({ _id, statusId, displayDate }) => ({ _id, companyId, statusId, displayDate }));
  }

  const load = async (id: number) => (await jobStore(mongo()).find(id, Infinity)) as Job;

  /** Changes the status and date of a job. */
  async function move(stored: Stored): Promise<Stored> {
    const before = await load(stored._id);
    const moved = { ...stored, statusId: someStatus(), displayDate: someDay() };
    const { statusId, displayDate: publishDate } = moved;
    const next = nextVersion(before, { ...before, statusId, publishDate }, Date.now(), {});
    if (!next) return move(stored);
    const { job, change } = next;
    expect(await jobStore(mongo()).replace(before, job, { change, commitBy: Infinity })).toBe('done');
    return moved;
  }

  async function remove(stored: Stored): Promise<void> {
    const job = await load(stored._id);
    await tombstoneStore(mongo()).bury(job, deletionOf(job, Date.now(), {}), soon());
  }

  return { fill, load, move, remove, below };
}
