import { requestsTo } from '../load/requests.ts';
import type { Seeded } from '../seed/seed.ts';

export type Requests = ReturnType<typeof requestsTo>;

/** Writers of requests to the product, for each company with its keys. */
export function productRequests({ product, world }: Pick<Seeded, 'product' | 'world'>) {
  const all = world.companies.map(({ keys }) => requestsTo(product.origin, keys));
  const aside = requestsTo(product.origin, world.aside.keys);
  return {
    /** @param company its place in the world */
    of: (company: number): Requests => all[company] as Requests,
    aside,
  };
}
