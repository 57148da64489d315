import { describe, expect, it } from '@jest/globals';
import type { Job } from '../src/domain/job.ts';
import { nextVersion } from '../src/domain/job-change.ts';
import { jobStore, WriteConflict } from '../src/store/job-store.ts';
import { jobsDatabase } from './jobs-database.ts';
import { storedJobs } from './stored-jobs.ts';

const { mongo } = jobsDatabase('replace-stored');
const { fill, load } = storedJobs(mongo);

interface Stored {
  readonly _id: number;
  readonly [field: string]: unknown;
}
const jobs = () => mongo().collection<Stored>('jobs');
const read = (id: number) => jobs().findOne({ _id: id });

const replace = (stored: Job, changes: Partial<Job> = { title: 'Another' }) => {
  const next = nextVersion(stored, { ...stored, ...changes }, Date.now(), {});
  if (!next) throw new Error('nothing changed');
  return jobStore(mongo()).replace(stored, next.job, { change: next.change, commitBy: Infinity });
};

it('leaves alone what was written without a new version since the job was read', async () => {
  const [made] = await fill(1, 1);
  const id = made?._id ?? 0;
  await jobs().updateOne({ _id: id }, { $set: { categories: [{ id: 7, name: 'Old', version: 1 }] } });
  const stored = await load(id);
  const renamed = [{ id: 7, name: 'New', version: 2 }];
  await jobs().updateOne({ _id: id }, { $set: { categories: renamed, 'counts.view': 5 } });
  expect(await replace(stored)).toBe('done');
  expect(await read(id)).toMatchObject({ title: 'Another', categories: renamed, counts: { view: 5 } });
});

it('brings into line what is derived, though nothing of it has changed', async () => {
  const [made] = await fill(1, 1);
  const id = made?._id ?? 0;
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

it('makes no job of one that is gone', async () => {
  const [made] = await fill(1, 1);
  const id = made?._id ?? 0;
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

  it('is stored apart, and in one place whatever it was before', async () => {
    const [made] = await fill(1, 1);
    const id = made?._id ?? 0;
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
    const [made] = await fill(1, 1);
    const id = made?._id ?? 0;
    await replace(await load(id), { description: large, referenceId: 'large' });
    const reference = { companyId: (await load(id)).company.id, referenceId: 'large' };
    const found = await jobStore(mongo()).findByReference(reference, Infinity);
    expect(found?.description).toBe(large);
  });

  it('is not read past the deadline', async () => {
    const made = await fill(1, 2);
    const [id, ofSmall] = made.map(({ _id }) => _id) as [number, number];
    await replace(await load(id), { description: large });
    const { find } = jobStore(mongo());
    await expect(find(id, Date.now())).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(await find(ofSmall, Date.now())).toMatchObject({ id: ofSmall });
  });

  it.each(steps)('is read where an older release has written it, and changed: %#', async (changes) => {
    const [made] = await fill(1, 1);
    const id = made?._id ?? 0;
    await jobs().updateOne({ _id: id }, { $set: { description: large } });
    const stored = await load(id);
    expect(stored.description).toBe(large);
    if (changes.description !== large) await replace(stored, changes);
    expect(await load(id)).toMatchObject({ description: large, ...changes });
  });
});
