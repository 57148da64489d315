import type { Scope } from '@joblisting/contracts';
import { connectOperator, type Keys, UNLIMITED } from '@joblisting/testing/system';
import type { Sizes } from '../sizes.ts';
import type { Servers } from './servers.ts';

export interface BenchCompany {
  readonly id: number;
  readonly name: string;
  /** How many jobs are copied for it. */
  readonly jobs: number;
  readonly keys: Keys;
}

/** Companies and keys without effective rate limits. */
export interface World {
  /** The largest company first, then the one that it is compared with. */
  readonly companies: readonly BenchCompany[];
  /** Owns templates, imported postings, due jobs and the job with applications. Its lists are not measured. */
  readonly spare: BenchCompany;
  readonly metricsKeys: Keys;
  /** Consumers that submit applications. Several, because the gateway limits the bytes per second of each. */
  readonly searchSites: readonly Keys[];
}

const SCOPES: readonly Scope[] = ['jobs:read', 'jobs:write', 'categories:write', 'webhooks:write'];
const SEARCH_SITES = 8;

/** How many jobs each company gets. */
export function shares({ jobs, companies, largeCompany, smallCompany }: Sizes): number[] {
  const others = companies - 2;
  const rest = jobs - largeCompany - smallCompany;
  const each = Math.floor(rest / others);
  const last = rest - each * (others - 1);
  return [largeCompany, smallCompany, ...Array<number>(others - 1).fill(each), last];
}

export async function makeWorld(servers: Servers, sizes: Sizes): Promise<World> {
  const operator = await connectOperator(servers.nats.url);
  try {
    const consumer = await operator.consumerKey(SCOPES, UNLIMITED);
    const metrics = await operator.consumerKey(['metrics:write'], UNLIMITED);
    const searchSites: Keys[] = [];
    while (searchSites.length < SEARCH_SITES) {
      const { secret } = await operator.consumerKey(['applications:write'], UNLIMITED);
      searchSites.push({ consumer: secret });
    }
    const companyOf = async (jobs: number): Promise<BenchCompany> => {
      const { id, name } = await operator.company();
      const user = await operator.userKey([id]);
      return { id, name, jobs, keys: { consumer: consumer.secret, user: user.secret } };
    };
    const companies: BenchCompany[] = [];
    for (const jobs of shares(sizes)) companies.push(await companyOf(jobs));
    return { companies, spare: await companyOf(0), metricsKeys: { consumer: metrics.secret }, searchSites };
  } finally {
    await operator.close();
  }
}
