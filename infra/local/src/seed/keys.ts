import { randomUUID } from 'node:crypto';
import { accessFrom, connectBus } from '@joblisting/bus';
import {
  createCompany,
  issueConsumerKey,
  issueUserKey,
  listCompanies,
  MOST_PER_MINUTE,
  type Scope,
} from '@joblisting/contracts';

/** The content of `.data/demo.json`: what scripts need to use the demo. */
export type Demo = {
  /** {base_url} of the specification, with the version. */
  readonly baseUrl: string;
  /** May read and write jobs and applications, write categories, and read events. */
  readonly consumerKey: string;
  /** May only report metrics events. */
  readonly metricsKey: string;
  readonly companies: readonly DemoCompany[];
};

export type DemoCompany = { readonly id: number; readonly name: string; readonly userKey: string };

const callLimitMs = 10_000;
const consumerScopes: readonly Scope[] = [
  'jobs:read',
  'jobs:write',
  'categories:write',
  'applications:read',
  'applications:write',
  'events:read',
  'webhooks:write',
];
/** The highest limit that a key can have. */
const unlimited = { readsPerMinute: MOST_PER_MINUTE, writesPerMinute: MOST_PER_MINUTE };

/** Issues the consumer key of the job-search site, as the user `operator`. */
export async function issueSiteKey(natsUrl: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const bus = await connectBus({ url: natsUrl, name: 'operator', ...accessFrom(environment) });
  try {
    const scopes: readonly Scope[] = ['applications:write', 'metrics:write'];
    const body = { name: 'Job search site', scopes, ...unlimited };
    const context = { requestId: randomUUID(), deadline: Date.now() + callLimitMs };
    return (await bus.request(issueConsumerKey, { body, context })).data.secret;
  } finally {
    await bus.close();
  }
}

/** Creates missing companies of the demo and issues new keys, as the user `operator`. */
export async function issueDemoKeys(
  natsUrl: string,
  environment: NodeJS.ProcessEnv,
  names: readonly string[],
): Promise<Omit<Demo, 'baseUrl'>> {
  const bus = await connectBus({ url: natsUrl, name: 'operator', ...accessFrom(environment) });
  const context = () => ({ requestId: randomUUID(), deadline: Date.now() + callLimitMs });
  try {
    const { data: existing } = await bus.request(listCompanies, { context: context() });
    const companies: DemoCompany[] = [];
    for (const name of names) {
      const company =
        existing.find((each) => each.name === name) ??
        (await bus.request(createCompany, { body: { name }, context: context() })).data;
      const body = { name: `Demo user of ${name}`, companyIds: [company.id] };
      const issued = await bus.request(issueUserKey, { body, context: context() });
      companies.push({ id: company.id, name, userKey: issued.data.secret });
    }
    const consumer = { name: 'Demo consumer', scopes: consumerScopes };
    const metrics = { name: 'Demo metrics', scopes: ['metrics:write'] };
    const [consumerKey, metricsKey] = await Promise.all(
      [consumer, metrics].map(async (body) => {
        const issued = await bus.request(issueConsumerKey, {
          body: { ...body, ...unlimited },
          context: context(),
        });
        return issued.data.secret;
      }),
    );
    return { consumerKey: consumerKey ?? '', metricsKey: metricsKey ?? '', companies };
  } finally {
    await bus.close();
  }
}
