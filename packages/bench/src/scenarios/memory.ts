import { serviceNames } from '@joblisting/e2e/harness';
import { residentMegabytes } from '../kernel/process-figures.ts';
import { atMost } from '../measure/goals.ts';
import type { Scenario } from './scenario.ts';

const MOST_MB = { gateway: 150, others: 200 };

/** What each service has come to hold by all that ran before. */
export const memory: Scenario = {
  name: 'memory',
  run: async ({ seeded }) => ({
    goals: serviceNames.map((name) => {
      const megabytes = Math.max(...seeded.product.pids(name).map(residentMegabytes));
      const limit = name === 'gateway' ? MOST_MB.gateway : MOST_MB.others;
      return atMost(`resident memory of ${name} after the run`, megabytes, limit, 'MB');
    }),
  }),
};
