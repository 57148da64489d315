import { scopes } from '@joblisting/contracts';
import {
  connectOperator,
  createClient,
  jobBody,
  type SystemAddress,
  UNLIMITED,
} from '@joblisting/testing/system';
import { multipart, pdf } from '../applications.ts';

/** Values that `schemathesis.toml` reads from its environment. */
export interface FuzzData {
  readonly consumerKey: string;
  readonly userKey: string;
  readonly linkCode: string;
}

const JOBS = 63;
/** Of each company whose applications the keys grant. */
const APPLICATIONS = 10;

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
    const api = createClient(origin, { consumer: consumer.secret, user: all.secret });

    // Each company gets jobs. The tests follow the link of the last job, which the keys cannot delete.
    let linkCode = '';
    for (let id = 1; id <= JOBS; id++) {
      const companyId = [other, first, second][id % 3] as number;
      const body = jobBody(companyId, { categories: [{ name: 'Game Design' }], referenceId: `F-${id}` });
      const { json } = await api.post('/jobs', body);
      linkCode = new URL(json.data.url).pathname.split('/').at(-1) ?? '';
    }
    for (let index = 0; index < 2 * APPLICATIONS; index++) {
      // Jobs of the companies that the keys grant, in turn.
      const jobId = [4, 2][index % 2];
      const application = { applicant: { name: 'Ada', email: `ada-${index}@example.com` } };
      const body = await multipart(application, [{ name: 'cv.pdf', content: pdf() }]);
      await api.send(`/jobs/${jobId}/applications`, body);
    }
    return { consumerKey: consumer.secret, userKey: user.secret, linkCode };
  } finally {
    await operator.close();
  }
}
