import { serviceNames } from '@joblisting/e2e/harness';
import { atMost, type Goal } from '../measure/goals.ts';
import type { Scenario } from './scenario.ts';

const MOST_SECONDS = 1.5;

/** Each service started alone: until it is ready. */
export const coldStart: Scenario = {
  name: 'cold-start',
  run: async ({ seeded: { product }, sizes }) => {
    const goals: Goal[] = [];
    await product.stop();
    try {
      for (const name of serviceNames) {
        const seconds: number[] = [];
        while (seconds.length < sizes.coldStarts) {
          const [started] = await product.start([name]);
          seconds.push((started?.readyMs ?? Infinity) / 1000);
          await product.stop([name]);
        }
        goals.push(atMost(`${name} is ready after`, Math.min(...seconds), MOST_SECONDS, 's'));
      }
    } finally {
      await product.start(serviceNames);
    }
    return { goals };
  },
};
