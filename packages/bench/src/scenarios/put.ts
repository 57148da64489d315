import { serviceNames } from '@joblisting/e2e/harness';
import { requestsTo } from '../load/requests.ts';
import type { Arm } from '../measure/arms.ts';
import { atMost, ratio } from '../measure/goals.ts';
import { hasCategories } from '../seed/bodies.ts';
import type { Copy } from '../seed/copies.ts';
import { randomFrom } from '../seed/texts.ts';
import { plainArm } from './plain-arms.ts';
import { AT_ONCE } from './product-arms.ts';
import { productRequests } from './product-requests.ts';
import type { Bench, Scenario } from './scenario.ts';
import { sideBySide } from './side-by-side.ts';

/** Changes of titles of any jobs: of those without categories, and of those that keep their two. */
function armsOf(bench: Bench): [Arm, Arm, Arm] {
  const { copies, product } = bench.seeded;
  const random = randomFrom(5);
  const requests = productRequests(bench.seeded);
  const plain = requestsTo(bench.plainBus.origin);
  const some = (withCategories: boolean): Copy => {
    for (;;) {
      const copy = copies.at(random.below(copies.total));
      if (hasCategories(copy.template) === withCategories) return copy;
    }
  };
  const change = (): string => JSON.stringify({ title: `Title ${random.below(1_000_000)}` });
  const ofProduct = (name: string, withCategories: boolean): Arm => ({
    name,
    origin: product.origin,
    connections: AT_ONCE,
    status: 200,
    serving: serviceNames,
    next: () => {
      const { id, company } = some(withCategories);
      return requests.of(company).put(`/v1.0/jobs/${id}`, change());
    },
  });
  return [
    { ...plainArm(bench), status: 200, next: () => plain.put(`/jobs/${some(false).id}`, change()) },
    ofProduct('product', false),
    ofProduct('two categories', true),
  ];
}

export const put: Scenario = {
  name: 'put',
  run: async (bench) => {
    const arms = await sideBySide(bench, armsOf(bench));
    const [plain, without, categories] = arms;
    return {
      arms,
      goals: [
        atMost('CPU of all services', ratio(without.services, plain.services), 1.25),
        atMost('CPU of all services, two categories', ratio(categories.services, plain.services), 2.5),
      ],
    };
  },
};
