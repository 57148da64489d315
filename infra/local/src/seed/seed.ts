import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../bootstrap/problem.mjs';
import type { Demo, DemoCompany } from './demo-file.ts';
import { demoCompanies } from './demo-companies.ts';
import type { DemoEmployer } from './demo-employer.ts';
import { jobBodies } from './job-bodies.ts';
import { issueDemoKeys } from './operator.ts';

export type SeedOptions = {
  readonly baseUrl: string;
  readonly natsUrl: string;
  /** Says who the operator is on the bus. */
  readonly environment: NodeJS.ProcessEnv;
  /** The services' idea of now, in epoch milliseconds: publish and close dates lie around it. */
  readonly now: number;
};

const parallel = 6;
const attempts = 5;
const pauseMs = 500;

/** Fills an empty system through its front door. Safe to run again: every job has a referenceId. */
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
  const waiting = jobBodies(employer, { companyId: company.id, provinceId, now });
  const work = async (): Promise<void> => {
    for (let body = waiting.shift(); body !== undefined; body = waiting.shift()) {
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
  await Promise.all(Array.from({ length: parallel }, work));
}

async function findProvince(baseUrl: string, { countryId, province }: DemoEmployer): Promise<number> {
  const answer = await send(`${baseUrl}/provinces?country.id=${countryId}`, {});
  const { data } = JSON.parse(answer) as { data: { id: number; name: string }[] };
  const found = data.find(({ name }) => name === province);
  if (found === undefined)
    throw new Problem(`The demo could not be seeded: there is no province ${province}.`);
  return found.id;
}

/** Sends a request, again where the answer says that the service is busy. */
async function send(url: string, request: RequestInit): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(url, request);
    const text = await answer.text();
    if (answer.ok) return text;
    if (![429, 503, 504].includes(answer.status) || attempt === attempts) {
      throw new Problem(
        `The demo could not be seeded: ${request.method ?? 'GET'} ${url} answered ${answer.status} ${text}`,
      );
    }
    await delay(pauseMs * attempt);
  }
}
