import { atMost, ratio } from '../measure/goals.ts';
import { plainReadsOfJobs } from './plain-arms.ts';
import { AT_ONCE, readsOfJobs } from './product-arms.ts';
import type { Bench, Scenario } from './scenario.ts';
import { sideBySide } from './side-by-side.ts';

const measure = (bench: Bench, connections: number) =>
  sideBySide(bench, [plainReadsOfJobs(bench, connections), readsOfJobs(bench.seeded, connections)]);

export const getJob: Scenario = {
  name: 'get-job',
  run: async (bench) => {
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

/**
 * One request at a time is a thirtieth of the requests in the same time: so much longer it takes until V8 has optimised the
 * code, and so much more the other work of the machine weighs, which comes and goes in seconds.
 */
const atLength = ({ sizes, ...bench }: Bench): Bench => ({
  ...bench,
  sizes: { ...sizes, warmUpMs: 5 * sizes.warmUpMs, parts: 5 },
});

/** Nothing can be shared with other requests there, and nothing may be lost. */
export const getJobAlone: Scenario = {
  name: 'get-job-1',
  run: async (bench) => {
    const arms = await measure(atLength(bench), 1);
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
