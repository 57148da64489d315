import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultsOf, newJob, refusalOf, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
  jobs.peers.categories.set(50, { name: 'Of company 1', version: 1, companyId: 1 });
  jobs.peers.categories.set(51, { name: 'Of company 2', version: 1, companyId: 2 });
});
afterAll(() => jobs.stop());

const made = async (more: object = {}) => (await jobs.create(newJob({ ...more }))).data;

describe('createJob › lists unknown categories', () => {
  const broken = { types: [{ id: 99 }], categories: [{ id: 77 }, { id: 1 }, { id: 50 }, { id: 51 }] };
  it('with the broken rules, foreign ones as well', async () => {
    expect(faultsOf(await refusalOf(jobs.create(newJob({ ...broken, city: 5 }))))).toEqual([
      ['#/city', 'type'],
      ['#/types/0/id', 'unknown_id'],
      ['#/categories/0/id', 'unknown_id'],
      ['#/categories/3/id', 'unknown_id'],
    ]);
  });

  it('only if the shape of company and categories is valid', async () => {
    const company = await refusalOf(jobs.create(newJob({ ...broken, company: {} })));
    const mixed = [{ id: 77 }, { id: 'x' }];
    const categories = await refusalOf(jobs.create(newJob({ ...broken, categories: mixed })));
    expect(faultsOf(company)).toEqual([
      ['#/company/id', 'required'],
      ['#/types/0/id', 'unknown_id'],
    ]);
    expect(faultsOf(categories)).toEqual([
      ['#/categories/1/id', 'type'],
      ['#/types/0/id', 'unknown_id'],
    ]);
  });

  it('only if they can be looked up', async () => {
    jobs.peers.categoryFault = () => Promise.reject(new Error('away'));
    const refusal = await refusalOf(jobs.create(newJob(broken)));
    jobs.peers.categoryFault = () => Promise.resolve();
    expect(faultsOf(refusal)).toEqual([['#/types/0/id', 'unknown_id']]);
  });

  it('before a referenceId that is taken', async () => {
    await jobs.create(newJob({ referenceId: 'C-50' }));
    const body = newJob({ referenceId: 'C-50', categories: [{ id: 77 }] });
    expect(faultsOf(await refusalOf(jobs.create(body)))).toEqual([['#/categories/0/id', 'unknown_id']]);
  });
});

describe('updateJob › lists unknown categories', () => {
  it('with the broken rules, but none that the job has', async () => {
    const { id } = await made({ categories: [{ id: 1 }] });
    const body = {
      types: [{ id: 99 }],
      categories: [{ id: 1 }, { id: 88 }, { id: 2 }, { name: 'x' }, { id: 88 }],
    };
    expect(faultsOf(await refusalOf(jobs.update(id, body)))).toEqual([
      ['#/types/0/id', 'unknown_id'],
      ['#/categories/1/id', 'unknown_id'],
      ['#/categories/4/id', 'unknown_id'],
    ]);
  });

  it('before a referenceId that is taken', async () => {
    await made({ referenceId: 'taken once more' });
    const { id } = await made();
    const body = { referenceId: 'taken once more', categories: [{ id: 88 }] };
    expect(faultsOf(await refusalOf(jobs.update(id, body)))).toEqual([['#/categories/0/id', 'unknown_id']]);
  });
});
