import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listApplications, type ParamsOf } from '@joblisting/contracts';
import {
  applyOf,
  companyOf,
  openJob,
  type RunningApplications,
  runApplications,
} from './running-applications.ts';

let running: RunningApplications;
let ids: number[];
beforeAll(async () => {
  running = await runApplications();
  const apply = applyOf(running);
  running.jobs
    .set(1, openJob(1))
    .set(2, openJob(2, { applicationEmails: [] }))
    .set(3, openJob(3, { company: { id: 2, name: 'Other' } }));
  ids = [];
  for (const [index, jobId] of [1, 2, 1, 3].entries()) {
    running.clock.advance(1000);
    const applicant = { name: `Person ${index}`, email: `p${index}@example.com` };
    ids.push((await apply.json(jobId, { applicant, coverLetter: 'Hello' })).data.id);
  }
});
afterAll(() => running.stop());

const list = async (params: Omit<ParamsOf<typeof listApplications>, 'company.id'> = {}) => {
  const { data, paging } = await running.bus.request(listApplications, {
    params: { 'company.id': 1, ...params },
    context: companyOf(1),
  });
  return { ids: data.map(({ id }) => ids.indexOf(id)), paging, data };
};

describe('listApplications', () => {
  it('lists headers of the company, newest first', async () => {
    const { ids: found, data, paging } = await list();
    expect(found).toEqual([2, 1, 0]);
    expect(paging).toEqual({ total: 3, pageSize: 50, page: 1, pages: 1 });
    expect(Object.keys(data[0] ?? {})).toEqual([
      'id',
      'job',
      'company',
      'referenceId',
      'receivedAt',
      'applicant',
      'source',
      'consentAt',
      'previousApplicationId',
    ]);
  });

  it('lists those of one job', async () => {
    expect((await list({ 'job.id': 1 })).ids).toEqual([2, 0]);
    expect((await list({ 'job.id': 3 })).ids).toEqual([]);
  });

  it('lists those with a copy in a state', async () => {
    expect((await list({ status: 'queued' })).ids).toEqual([2, 0]);
    expect((await list({ status: 'failed' })).ids).toEqual([]);
  });

  it('lists pages', async () => {
    expect(await list({ pageSize: 2, page: 2 })).toMatchObject({
      ids: [0],
      paging: { total: 3, pageSize: 2, page: 2, pages: 2 },
    });
  });

  it('refuses a company that the keys do not grant', async () => {
    const params = { 'company.id': 2 };
    await expect(
      running.bus.request(listApplications, { params, context: companyOf(1) }),
    ).rejects.toMatchObject({ code: 'company_forbidden' });
  });
});
