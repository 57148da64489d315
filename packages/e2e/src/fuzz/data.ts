import {
  connectOperator,
  createClient,
  jobBody,
  type SystemAddress,
  UNLIMITED,
} from '@joblisting/testing/system';

/** What `schemathesis.toml` takes from outside. */
export interface FuzzData {
  readonly consumerKey: string;
  readonly userKey: string;
  readonly linkCode: string;
}

const JOBS = 21;

/**
 * Fills an empty system with what `schemathesis.toml` names: companies 1 to 3, of which the keys grant two, jobs
 * from id 1 with the references F-1 and on, and custom categories from 1001.
 */
export async function makeFuzzData({ origin, natsUrl }: SystemAddress): Promise<FuzzData> {
  const operator = await connectOperator(natsUrl);
  try {
    const companyIds: number[] = [];
    for (const name of ['Northwind Games', 'Contoso', 'Fabrikam']) {
      companyIds.push((await operator.company(name)).id);
    }
    const [mine, ours, theirs] = companyIds as [number, number, number];
    const scopes = ['jobs:read', 'jobs:write', 'categories:write', 'metrics:write'] as const;
    const consumer = await operator.consumerKey(scopes, UNLIMITED);
    const user = await operator.userKey([mine, ours]);
    const all = await operator.userKey(companyIds);
    const api = createClient(origin, { consumer: consumer.secret, user: all.secret });

    // In turn, so that each company has some. The last one's link is followed: the keys cannot delete that job.
    let linkCode = '';
    for (let id = 1; id <= JOBS; id++) {
      const companyId = [theirs, mine, ours][id % 3] as number;
      const body = jobBody(companyId, { categories: [{ name: 'Game Design' }], referenceId: `F-${id}` });
      const { json } = await api.post('/jobs', body);
      linkCode = new URL(json.data.url).pathname.split('/').at(-1) ?? '';
    }
    return { consumerKey: consumer.secret, userKey: user.secret, linkCode };
  } finally {
    await operator.close();
  }
}
