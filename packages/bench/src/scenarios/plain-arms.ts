import { requestsTo } from '../load/requests.ts';
import type { Arm } from '../measure/arms.ts';
import { randomFrom } from '../seed/texts.ts';
import { makeBodies } from './new-jobs.ts';
import { AT_ONCE, companyAt, listQuery } from './product-arms.ts';
import type { Bench } from './scenario.ts';

type Plain = Pick<Bench, 'plainBus' | 'seeded'>;

/** What arms of the plain bus have in common. */
export const plainArm = ({ plainBus }: Plain, connections = AT_ONCE) => ({
  name: 'plain bus',
  origin: plainBus.origin,
  connections,
  serving: ['plain-gateway', 'plain-service'],
});

export function plainReadsOfJobs(bench: Plain, connections = AT_ONCE): Arm {
  const { copies } = bench.seeded;
  const { get } = requestsTo(bench.plainBus.origin);
  const random = randomFrom(1);
  const next = (): string => get(`/jobs/${copies.at(random.below(copies.total)).id}`);
  return { ...plainArm(bench, connections), status: 200, next };
}

export function plainReadsOfList(bench: Plain, company: number, filter: string): Arm {
  const query = listQuery(companyAt(bench.seeded, company), filter, 1);
  const request = requestsTo(bench.plainBus.origin).get(`/jobs${query}`);
  return { ...plainArm(bench), status: 200, next: () => request };
}

export function plainPosts(bench: Plain): Arm {
  const { post } = requestsTo(bench.plainBus.origin);
  const all = makeBodies(bench.seeded, 'text', 0).map(({ body }) => post('/jobs', body));
  let turn = 0;
  return { ...plainArm(bench), status: 201, next: () => all[turn++ % all.length] as string };
}
