import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { countApplications } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { ada, applyOf, openJob, type RunningApplications, runApplications } from './running-applications.ts';

let running: RunningApplications;
beforeAll(async () => {
  running = await runApplications();
});
afterAll(() => running.stop());

const count = async (companyId: number) =>
  (await running.bus.request(countApplications, { body: { companyId }, context: ownCall(5000) })).data;

it('countApplications counts those of one company', async () => {
  running.jobs.set(1, openJob(1)).set(2, openJob(2, { company: { id: 2, name: 'Other' } }));
  await applyOf(running).json(1, { applicant: ada });
  await applyOf(running).json(2, { applicant: ada });
  await applyOf(running).json(2, { applicant: { ...ada, email: 'other@example.com' } });
  expect(await count(1)).toEqual({ applications: 1 });
  expect(await count(2)).toEqual({ applications: 2 });
  expect(await count(3)).toEqual({ applications: 0 });
});
