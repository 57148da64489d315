import { isMet } from '../measure/goals.ts';
import type { Result } from '../measure/result.ts';
import { barChart } from './bars.ts';

/** What a request costs in each process, a bar for each arm. */
export const costChart = (results: readonly Result[]): string =>
  barChart({
    title: 'CPU for each request, best of the rounds',
    unit: 'µs',
    bars: results.flatMap(({ scenario, arms }) =>
      arms.map(({ arm, each, mongod, nats }) => {
        const { gateway = 0, 'plain-gateway': plainGateway = 0, constant = 0, ...services } = each;
        return {
          label: `${scenario}: ${arm}`,
          parts: {
            gateway: gateway + plainGateway + constant,
            services: Object.values(services).reduce((sum, micros) => sum + micros, 0),
            mongod,
            NATS: nats,
          },
        };
      }),
    ),
  });

/** How much of each limit is used up: a bar that does not reach beyond the line is a goal that is met. */
export const goalChart = (results: readonly Result[]): string =>
  barChart({
    title: 'Goals: measured, in parts of the limit',
    unit: '',
    line: 1,
    bars: results.flatMap(({ scenario, goals }) =>
      goals
        .filter(({ limit, measured }) => limit > 0 && Number.isFinite(measured))
        .map((goal) => {
          const used = goal.isAtLeast ? goal.limit / goal.measured : goal.measured / goal.limit;
          const parts = isMet(goal) ? { met: used, 'not met': 0 } : { met: 0, 'not met': used };
          return { label: `${scenario}: ${goal.what}`.slice(0, 52), parts };
        }),
    ),
  });
