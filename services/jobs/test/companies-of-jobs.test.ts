import { companyChanged, countJobs, renameCompanyOnJobs } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobModel } from '../src/models/job.ts';
import { caller, newJob, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());

const rename = async (companyId: number, name: string, limitMs = 5000) =>
  (await jobs.bus.request(renameCompanyOnJobs, { body: { companyId, name }, context: ownCall(limitMs) })).data
    .jobs;
const count = async (companyId: number) =>
  (await jobs.bus.request(countJobs, { body: { companyId }, context: ownCall(5000) })).data.jobs;
const make = async (companyId: number, more: object = {}) =>
  (await jobs.create(newJob({ company: { id: companyId }, ...more }), caller([companyId]))).data;

describe('renameCompanyOnJobs', () => {
  it('shows the name on every job of the company, by id and in lists, at the same version', async () => {
    const [first, closed] = [await make(30), await make(30, { closeDate: '2026-03-05' })];
    const other = await make(31);
    expect(await rename(30, 'Acme Ltd')).toBe(2);
    expect(await rename(30, 'Acme Ltd')).toBe(0);
    for (const { id } of [first, closed]) {
      const { data } = await jobs.get(id, caller([30]));
      expect(data.company).toEqual({ id: 30, name: 'Acme Ltd' });
    }
    const { data: listed } = await jobs.list(30, {}, caller([30]));
    expect(listed.map(({ company }) => company.name)).toEqual(['Acme Ltd', 'Acme Ltd']);
    expect((await jobs.get(other.id, caller([31]))).data.company.name).toBe('Company 31');
    const stored = await jobModel(jobs.mongo).findById(first.id).lean();
    expect(stored?.version).toBe(1);
  });

  it('renames more jobs than one write takes', async () => {
    const { id } = await make(32);
    const model = jobModel(jobs.mongo);
    const stored = await model.findById(id).lean();
    const copies = Array.from({ length: 2100 }, (_, index) => ({ ...stored, _id: 1_000_000 + index }));
    await model.collection.insertMany(copies as never[]);
    expect(await rename(32, 'Large')).toBe(2101);
    expect(await model.countDocuments({ companyId: 32, companyName: 'Large' })).toBe(2101);
  });
});

describe('the cached name of a company', () => {
  it('is read again after the company has changed', async () => {
    await make(33);
    jobs.peers.companyNames.set(33, 'Renamed');
    expect((await make(33)).company.name).toBe('Company 33');
    jobs.bus.notify(companyChanged, { companyId: 33 });
    await waitFor(async () => (await make(33)).company.name === 'Renamed', { what: 'the new name' });
  });

  it('is not stored if the company changes before the reply', async () => {
    jobs.peers.companyFault = async () => {
      jobs.peers.companyNames.set(35, 'Renamed');
      jobs.bus.notify(companyChanged, { companyId: 35 });
      await jobs.bus.flush();
    };
    expect((await make(35)).company.name).toBe('Company 35');
    jobs.peers.companyFault = () => Promise.resolve();
    expect((await make(35)).company.name).toBe('Renamed');
  });
});

describe('countJobs', () => {
  it('counts the jobs of one company in every status', async () => {
    expect(await count(34)).toBe(0);
    await make(34);
    await make(34, { publishDate: '2026-03-20' });
    const { id } = await make(34, { closeDate: '2026-03-05' });
    expect(await count(34)).toBe(3);
    await jobs.remove(id, caller([34]));
    expect(await count(34)).toBe(2);
  });
});
