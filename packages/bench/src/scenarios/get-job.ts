import type { Arm } from '../measure/arms.ts';
import { atMost, ratio } from '../measure/goals.ts';
import type { Findings } from '../measure/result.ts';
import { randomFrom } from '../seed/texts.ts';
import { requestsTo } from '../load/requests.ts';
import { productRequests } from './product-requests.ts';
import type { Bench, Scenario } from './scenario.ts';
import { PLAIN, sideBySide, AT_ONCE } from './side-by-side.ts';

/** Reads of single jobs, any of all, each with the keys of its company. */
async function measure(bench: Bench, connections: number) {
  const { seeded, plainBus } = bench;
  const { copies, product } = seeded;
  const random = randomFrom(1);
  const plain = requestsTo(plainBus.origin);
  const requests = productRequests(seeded);
  const any = () => copies.at(random.below(copies.total));
  const arms: readonly [Arm, Arm] = [
    {
      name: 'plain bus',
      origin: plainBus.origin,
      connections,
      status: 200,
      serving: PLAIN,
      next: () => plain.get(`/jobs/${any().id}`),
    },
    {
      name: 'product',
      origin: product.origin,
      connections,
      status: 200,
      serving: ['gateway', 'jobs'],
      next: () => {
        const { id, company } = any();
        return requests.of(company).get(`/v1.0/jobs/${id}`);
      },
    },
  ];
  return sideBySide(bench, arms);
}

export const getJob: Scenario = {
  name: 'get-job',
  run: async (bench): Promise<Findings> => {
    const arms = await measure(bench, AT_ONCE);
    const [plain, product] = arms;
    return {
      arms,
      goals: [
        atMost('CPU of gateway + service', ratio(product.services, plain.services), 0.6),
        atMost('CPU of mongod', ratio(product.mongod, plain.mongod), 0.5),
      ],
    };
  },
};

export const getJobAlone: Scenario = {
  name: 'get-job-1',
  run: async (bench): Promise<Findings> => {
    const arms = await measure(bench, 1);
    const [plain, product] = arms;
    return {
      arms,
      goals: [
        atMost('CPU of gateway + service', ratio(product.services, plain.services), 1.15),
        atMost('p50', ratio(product.p50, plain.p50), 1.15),
      ],
    };
  },
};
