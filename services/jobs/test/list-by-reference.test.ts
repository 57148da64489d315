import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { caller, newJob, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => jobs.clock.set(START));

const asCompany = (id: number) => caller([id]);
const make = async (companyId: number, more: object = {}) =>
  (await jobs.create(newJob({ company: { id: companyId }, ...more }), asCompany(companyId))).data;

describe('listJobs › 200 with referenceId', () => {
  const byReference = async (companyId: number, more: object) => {
    const { data, paging } = await jobs.list(companyId, more, asCompany(companyId));
    return { ids: data.map(({ id }) => id), paging };
  };
  const paging = (total: number) => ({ total, pageSize: 50, page: 1, pages: total });

  it('shows the one job that has it, as the list does', async () => {
    await make(40, { referenceId: 'other' });
    const { id } = await make(40, { referenceId: 'wanted' });
    await make(41, { referenceId: 'wanted' });
    expect(await byReference(40, { referenceId: 'wanted' })).toEqual({ ids: [id], paging: paging(1) });
    const [inList] = (await jobs.list(40, { pageSize: 1 }, asCompany(40))).data;
    const { data } = await jobs.list(40, { referenceId: 'wanted' }, asCompany(40));
    expect(data).toEqual([inList]);
  });

  it('shows none if no job has it byte for byte, or it was deleted', async () => {
    const { id } = await make(42, { referenceId: 'wanted' });
    for (const referenceId of ['Wanted', 'wanted ', 'w'])
      expect(await byReference(42, { referenceId })).toEqual({ ids: [], paging: paging(0) });
    await jobs.remove(id, asCompany(42));
    expect(await byReference(42, { referenceId: 'wanted' })).toEqual({ ids: [], paging: paging(0) });
  });

  it('keeps the other filters and the pages', async () => {
    const { id } = await make(43, { referenceId: 'wanted', publishDate: '2026-03-20' });
    const referenceId = 'wanted';
    expect(await byReference(43, { referenceId, 'status.id': 3 })).toMatchObject({ ids: [id] });
    expect(await byReference(43, { referenceId, 'status.id': 1 })).toMatchObject({ ids: [] });
    expect(await byReference(43, { referenceId, page: 2, pageSize: 1 })).toEqual({
      ids: [],
      paging: { total: 1, pageSize: 1, page: 2, pages: 1 },
    });
  });

  it('shows the status of now, though nobody settled it', async () => {
    const dates = { publishDate: '2026-03-20', closeDate: '2026-03-25' };
    const { id } = await make(44, { referenceId: 'wanted', ...dates });
    jobs.clock.set('2026-03-25T12:00:00Z');
    const { data } = await jobs.list(44, { referenceId: 'wanted', 'status.id': 2 }, asCompany(44));
    expect(data).toMatchObject([{ id, displayDate: '2026-03-25', status: { id: 2 } }]);
  });
});
