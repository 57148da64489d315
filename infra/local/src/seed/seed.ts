import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../bootstrap/terminal.mjs';
import { demoCompanies } from './demo-companies.ts';
import { type DemoEmployer, jobBodies } from './job-bodies.ts';
import { type Demo, type DemoCompany, issueDemoKeys } from './keys.ts';

export type SeedOptions = {
  readonly baseUrl: string;
  readonly natsUrl: string;
  /** Credentials of the operator on the bus. */
  readonly environment: NodeJS.ProcessEnv;
  /** The services' clock, in epoch milliseconds. Publish and close dates lie around it. */
  readonly now: number;
};

const parallel = 6;
const attempts = 5;
const pauseMs = 500;

/** Fills an empty system through the gateway. Safe to run again: every job has a referenceId. */
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
  const queue = jobBodies(employer, { companyId: company.id, provinceId, now });
  const sendJobs = async (): Promise<void> => {
    for (let body = queue.shift(); body !== undefined; body = queue.shift()) {
      await send(`${demo.baseUrl}/jobs`, {
        method: 'PUT',
        headers: {
          'Content-Type': 'application/json',
          'Consumer-API-Key': demo.consumerKey,
          'User-API-Key': company.userKey,
        },
        body: JSON.stringify(body),
      });
    }
  };
  await Promise.all(Array.from({ length: parallel }, sendJobs));
}

async function findProvince(baseUrl: string, { countryId, province }: DemoEmployer): Promise<number> {
  const text = await send(`${baseUrl}/provinces?country.id=${countryId}`, {});
  const { data } = JSON.parse(text) as { data: { id: number; name: string }[] };
  const match = data.find(({ name }) => name === province);
  if (match === undefined)
    throw new Problem(`The demo could not be seeded: there is no province ${province}.`);
  return match.id;
}

/** Sends a request and retries when the service is busy. */
async function send(url: string, request: RequestInit): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, request);
    const text = await response.text();
    if (response.ok) return text;
    if (![429, 503, 504].includes(response.status) || attempt === attempts) {
      throw new Problem(
        `The demo could not be seeded: ${request.method ?? 'GET'} ${url} answered ${response.status} ${text}`,
      );
    }
    await delay(pauseMs * attempt);
  }
}
