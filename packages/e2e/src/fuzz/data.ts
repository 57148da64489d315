import { createClient, type NewJob } from '@joblisting/client';
import { scopes } from '@joblisting/contracts';
import { connectOperator, jobBody, pdf, type SystemAddress, UNLIMITED } from '@joblisting/testing/system';

/** Values that `schemathesis.toml` reads from its environment. */
export interface FuzzData {
  readonly consumerKey: string;
  readonly userKey: string;
  readonly linkCode: string;
}

const JOBS = 63;
/** Of each company whose applications the keys grant. */
const APPLICATIONS = 24;

/**
 * Creates the data of `schemathesis.toml` in an empty system: companies 1 to 3 (the keys grant two), jobs from id 1 with
 * references from F-1, custom categories from 1001, and applications with a file from id 1.
 */
export async function makeFuzzData({ origin, natsUrl }: SystemAddress): Promise<FuzzData> {
  const operator = await connectOperator(natsUrl);
  try {
    const companyIds: number[] = [];
    for (const name of ['Northwind Games', 'Contoso', 'Fabrikam']) {
      companyIds.push((await operator.company(name)).id);
    }
    const [first, second, other] = companyIds as [number, number, number];
    const consumer = await operator.consumerKey(scopes, UNLIMITED);
    const user = await operator.userKey([first, second]);
    const all = await operator.userKey(companyIds);
    const client = createClient({ baseUrl: origin, consumerKey: consumer.secret, userKey: all.secret });

    // Each company gets jobs. The tests follow the link of the last job, which the keys cannot delete.
    let linkCode = '';
    for (let id = 1; id <= JOBS; id++) {
      const companyId = [other, first, second][id % 3] as number;
      const body = jobBody(companyId, { categories: [{ name: 'Game Design' }], referenceId: `F-${id}` });
      const { data } = await client.jobs.create(body as NewJob);
      linkCode = new URL(data.url).pathname.split('/').at(-1) ?? '';
    }
    for (let index = 0; index < APPLICATIONS; index++) {
      // Jobs of the companies that the keys grant, in turn.
      const jobId = [4, 2][index % 2] as number;
      const application = { applicant: { name: 'Ada', email: `ada-${index}@example.com` } };
      await client.applications.create(jobId, application, [{ name: 'cv.pdf', content: pdf() }]);
    }
    return { consumerKey: consumer.secret, userKey: user.secret, linkCode };
  } finally {
    await operator.close();
  }
}
