import type { Log } from '@joblisting/service-kit';

export type StateLog = ReturnType<typeof stateLog>;

const WORKING = 'working';

/** Logs how it stands with bitly, each time that it changes: a call that fails as the last one did says nothing new. */
export function stateLog(log: Log, doing: string) {
  let state = WORKING;

  const change = (next: string, details?: object) => {
    if (next === state) return;
    state = next;
    const line = { provider: 'bitly', doing, state, ...details };
    if (next === WORKING) log.info(line, 'bitly works again');
    else log.warn(line, 'bitly does not work now; it will be asked again later');
  };

  return {
    working: () => change(WORKING),
    /** @param until epoch milliseconds */
    limited: (until: number) => change('limited', { until: new Date(until).toISOString() }),
    usedUp: (period: string) => change(`the budget of ${period} is used up`),
    failing: (reason: string) => change(`failing: ${reason}`),
  };
}
