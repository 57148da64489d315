import { describe, expect, it } from '@jest/globals';
import { publishInstant } from '../src/domain/dates.ts';
import type { Job } from '../src/domain/job.ts';
import { nextVersion } from '../src/domain/job-change.ts';
import { jobStore, WriteConflict } from '../src/store/job-store.ts';
import { jobsDatabase } from './jobs-database.ts';

const { mongo } = jobsDatabase('replace-stored');

interface Stored {
  readonly _id: number;
  readonly [field: string]: unknown;
}
const jobs = () => mongo().collection<Stored>('jobs');
const read = (id: number) => jobs().findOne({ _id: id });
const load = async (id: number) => (await jobStore(mongo()).find(id, Infinity)) as Job;

let lastId = 0;
/** Inserts a job directly, without the service's code. Resolves to its id. */
async function insertJob(): Promise<number> {
  const _id = ++lastId;
  await jobs().insertOne({
    _id,
    companyId: 1,
    statusId: 1,
    displayDate: '2026-03-01',
    publishAt: new Date(publishInstant('2026-03-01')),
    closeAt: null,
    categories: [],
    typeIds: [],
    applicationEmails: [],
    title: 'Welder',
    description: 'Weld.',
    descriptionFormat: 'text',
    routingId: 1,
    uncounted: true,
    counts: { view: 0, application: 0, clickThrough: 0 },
    version: 1,
  });
  return _id;
}

const replace = (stored: Job, changes: Partial<Job> = { title: 'Another' }) => {
  const next = nextVersion(stored, { ...stored, ...changes }, Date.now(), {});
  if (!next) throw new Error('nothing changed');
  return jobStore(mongo()).replace(stored, next.job, { change: next.change, commitBy: Infinity });
};

it('keeps what was written without a new version since the job was read', async () => {
  const id = await insertJob();
  await jobs().updateOne({ _id: id }, { $set: { categories: [{ id: 7, name: 'Old', version: 1 }] } });
  const stored = await load(id);
  const renamed = [{ id: 7, name: 'New', version: 2 }];
  await jobs().updateOne({ _id: id }, { $set: { categories: renamed, 'counts.view': 5 } });
  expect(await replace(stored)).toBe('done');
  expect(await read(id)).toMatchObject({ title: 'Another', categories: renamed, counts: { view: 5 } });
});

it('corrects derived fields even if what they derive from has not changed', async () => {
  const id = await insertJob();
  const stored = await load(id);
  const before = await read(id);
  await jobs().updateOne(
    { _id: id },
    { $set: { displayDate: '1999-01-01', nextTransitionAt: new Date(0), linkPending: true } },
  );
  expect(await replace(stored)).toBe('done');
  const after = await read(id);
  expect(after?.['displayDate']).toEqual(before?.['displayDate']);
  expect(after).not.toHaveProperty('linkPending');
  expect(after?.['nextTransitionAt']).not.toEqual(new Date(0));
});

it('does not recreate a deleted job', async () => {
  const id = await insertJob();
  const stored = await load(id);
  await jobs().deleteOne({ _id: id });
  await expect(replace(stored)).rejects.toThrow(WriteConflict);
  expect(await read(id)).toBeNull();
});

describe('a large description', () => {
  const [small, large, larger] = ['Small', 'x'.repeat(50_000), 'y'.repeat(60_000)];
  const steps: readonly Partial<Job>[] = [
    { description: large },
    { title: 'Large' },
    { description: larger },
    { description: small },
    { title: 'Small' },
  ];

  it('is stored in a field of its own, and in one field only, whatever it was before', async () => {
    const id = await insertJob();
    const places: string[][] = [];
    for (const changes of steps) {
      await replace(await load(id), changes);
      expect(await load(id)).toMatchObject(changes);
      places.push(Object.keys((await read(id)) ?? {}).filter((field) => /description$/i.test(field)));
    }
    const apart = ['largeDescription'];
    expect(places).toEqual([apart, apart, apart, ['description'], ['description']]);
  });

  it('is read by reference as well', async () => {
    const id = await insertJob();
    await replace(await load(id), { description: large, referenceId: 'large' });
    const reference = { companyId: (await load(id)).company.id, referenceId: 'large' };
    const found = await jobStore(mongo()).findByReference(reference, Infinity);
    expect(found?.description).toBe(large);
  });

  it('is not read past the deadline', async () => {
    const [id, ofSmall] = [await insertJob(), await insertJob()];
    await replace(await load(id), { description: large });
    const { find } = jobStore(mongo());
    await expect(find(id, Date.now())).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(await find(ofSmall, Date.now())).toMatchObject({ id: ofSmall });
  });

  it.each(steps)('is read and changed if an older release has written it: %#', async (changes) => {
    const id = await insertJob();
    await jobs().updateOne({ _id: id }, { $set: { description: large } });
    const stored = await load(id);
    expect(stored.description).toBe(large);
    if (changes.description !== large) await replace(stored, changes);
    expect(await load(id)).toMatchObject({ description: large, ...changes });
  });
});
