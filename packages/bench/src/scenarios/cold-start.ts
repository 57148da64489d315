import { serviceNames } from '@joblisting/e2e/harness';
import type { Goal } from '../measure/goals.ts';
import { atMost } from '../measure/goals.ts';
import type { Note } from '../measure/result.ts';
import type { Scenario } from './scenario.ts';

const MOST_SECONDS = 1.5;

/** Each service started alone, with nothing that was compiled before, and then with it: until it is ready. */
export const coldStart: Scenario = {
  name: 'cold-start',
  run: async ({ seeded: { product }, sizes }) => {
    const goals: Goal[] = [];
    const notes: Note[] = [];
    await product.stop();
    try {
      for (const name of serviceNames) {
        const best = async (compileCache: boolean): Promise<number> => {
          const seconds: number[] = [];
          while (seconds.length < sizes.coldStarts) {
            const [started] = await product.start([name], { compileCache });
            seconds.push((started?.readyMs ?? Infinity) / 1000);
            await product.stop([name]);
          }
          return Math.min(...seconds);
        };
        goals.push(atMost(`${name} is ready after`, await best(false), MOST_SECONDS, 's'));
        notes.push({ what: `${name}, its modules compiled before`, measured: await best(true), unit: 's' });
      }
    } finally {
      await product.start(serviceNames);
    }
    return { goals, notes };
  },
};
