import { randomUUID } from 'node:crypto';
import { accessFrom, connectBus } from '@joblisting/bus';
import {
  createCompany,
  issueConsumerKey,
  issueUserKey,
  listCompanies,
  MOST_PER_MINUTE,
} from '@joblisting/contracts';
import type { Demo, DemoCompany } from './demo-file.ts';

/** How long one call to accounts may take, in milliseconds. */
const callLimitMs = 10_000;
/** The demo's keys are not limited: theirs is the highest limit that there is, and nobody sends as much. */
const unlimited = { readsPerMinute: MOST_PER_MINUTE, writesPerMinute: MOST_PER_MINUTE };

/** Makes the demo's companies, where they are not there yet, and issues new keys, as an operator would. */
export async function issueDemoKeys(
  natsUrl: string,
  environment: NodeJS.ProcessEnv,
  names: readonly string[],
): Promise<Omit<Demo, 'baseUrl'>> {
  const bus = await connectBus({ url: natsUrl, name: 'operator', ...accessFrom(environment) });
  const context = () => ({ requestId: randomUUID(), deadline: Date.now() + callLimitMs });
  try {
    const { data: known } = await bus.request(listCompanies, { context: context() });
    const companies: DemoCompany[] = [];
    for (const name of names) {
      const company =
        known.find((each) => each.name === name) ??
        (await bus.request(createCompany, { body: { name }, context: context() })).data;
      const body = { name: `Demo user of ${name}`, companyIds: [company.id] };
      const issued = await bus.request(issueUserKey, { body, context: context() });
      companies.push({ id: company.id, name, userKey: issued.data.secret });
    }
    const consumer = { name: 'Demo consumer', scopes: ['jobs:read', 'jobs:write', 'categories:write'] };
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
