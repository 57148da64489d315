import { randomFrom } from '@joblisting/testing';
import { requestsTo } from '@joblisting/testing/system';
import type { Variant } from '../measure/variants.ts';
import { AT_ONCE, companyAt, listQuery, newJobs, titleChanges } from './product.ts';
import type { Bench } from './scenario.ts';

type Plain = Pick<Bench, 'plainBus' | 'seeded'>;

/** The first variant of a scenario, which the ratios of the others refer to. */
const plainVariant = ({ plainBus }: Plain, connections = AT_ONCE) => ({
  name: 'plain bus',
  origin: plainBus.origin,
  connections,
  status: 200,
  serving: ['plain-gateway', 'plain-service'],
});

export function plainGets(bench: Plain, connections?: number): Variant {
  const { copies } = bench.seeded;
  const { get } = requestsTo(bench.plainBus.origin);
  const random = randomFrom(1);
  const next = (): string => get(`/jobs/${copies.at(random.below(copies.total)).id}`);
  return { ...plainVariant(bench, connections), next };
}

export function plainPage(bench: Plain, company: number, connections?: number): Variant {
  const query = listQuery(companyAt(bench.seeded, company), 1);
  const request = requestsTo(bench.plainBus.origin).get(`/jobs${query}`);
  return { ...plainVariant(bench, connections), next: () => request };
}

export function plainPuts(bench: Plain): Variant {
  const { put } = requestsTo(bench.plainBus.origin);
  const nextChange = titleChanges(bench.seeded, false);
  const next = (): string => {
    const { id, body } = nextChange();
    return put(`/jobs/${id}`, body);
  };
  return { ...plainVariant(bench), next };
}

export function plainPosts(bench: Plain, categories = 0, connections?: number): Variant {
  const { post } = requestsTo(bench.plainBus.origin);
  const all = newJobs(bench.seeded, 'text', categories).map(({ body }) => post('/jobs', body));
  let turn = 0;
  return {
    ...plainVariant(bench, connections),
    status: 201,
    next: () => all[turn++ % all.length] as string,
  };
}
