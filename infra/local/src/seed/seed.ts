import { Problem } from '../../bootstrap/terminal.mjs';
import { seedApplications } from './applications.ts';
import { demoCompanies } from './demo-companies.ts';
import { type DemoEmployer, jobBodies } from './job-bodies.ts';
import { type Demo, type DemoCompany, issueDemoKeys } from './keys.ts';
import { send } from './send.ts';

export type SeedOptions = {
  readonly baseUrl: string;
  readonly natsUrl: string;
  /** Credentials of the operator on the bus. */
  readonly environment: NodeJS.ProcessEnv;
  /** The services' clock, in epoch milliseconds. Publish and close dates lie around it. */
  readonly now: number;
};

type SeededJob = { readonly id: number; readonly status: { readonly id: number } };

const parallel = 6;
const PUBLISHED = 1;

/** Fills an empty system through the gateway. Safe to run again: every job and application has a referenceId. */
export async function seedDemo({ baseUrl, natsUrl, environment, now }: SeedOptions): Promise<Demo> {
  const issued = await issueDemoKeys(
    natsUrl,
    environment,
    demoCompanies.map(({ name }) => name),
  );
  const demo = { baseUrl, ...issued };
  for (const [index, employer] of demoCompanies.entries()) {
    const company = issued.companies[index];
    if (company !== undefined) await seedCompany(demo, company, employer, now);
  }
  return demo;
}

async function seedCompany(
  demo: Demo,
  company: DemoCompany,
  employer: DemoEmployer,
  now: number,
): Promise<void> {
  const provinceId = await findProvince(demo.baseUrl, employer);
  const bodies = jobBodies(employer, { companyId: company.id, provinceId, now });
  const keys = { 'Consumer-API-Key': demo.consumerKey, 'User-API-Key': company.userKey };
  const jobs: SeededJob[] = [];
  const queue = [...bodies.entries()];
  const sendJobs = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, body] = next;
      const text = await send(`${demo.baseUrl}/jobs`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', ...keys },
        body: JSON.stringify(body),
      });
      jobs[index] = (JSON.parse(text) as { data: SeededJob }).data;
    }
  };
  await Promise.all(Array.from({ length: parallel }, sendJobs));
  const at = { ...demo, userKey: company.userKey, companyId: company.id, now };
  for (const [index, { applications }] of employer.jobs.entries()) {
    const job = jobs[index];
    // In data of an earlier start somebody may have closed it.
    if (applications && job?.status.id === PUBLISHED)
      await seedApplications({ ...at, jobId: job.id }, applications);
  }
}

async function findProvince(baseUrl: string, { countryId, province }: DemoEmployer): Promise<number> {
  const text = await send(`${baseUrl}/provinces?country.id=${countryId}`, {});
  const { data } = JSON.parse(text) as { data: { id: number; name: string }[] };
  const match = data.find(({ name }) => name === province);
  if (match === undefined)
    throw new Problem(`The demo could not be seeded: there is no province ${province}.`);
  return match.id;
}
