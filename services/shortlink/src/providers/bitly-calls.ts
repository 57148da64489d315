import {
  BrokenCircuitError,
  bulkhead,
  BulkheadRejectedError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
} from 'cockatiel';
import type { Log } from '@joblisting/service-kit';
import type { BudgetStore } from '../budget-store.ts';
import type { Outcome } from './bitly-api.ts';

const FAILURES_IN_A_ROW = 5;

export type BitlyCalls = ReturnType<typeof bitlyCalls>;

interface Deps {
  /** What the calls do, for the log. */
  readonly task: string;
  readonly breakMs: number;
  readonly budget: BudgetStore;
  readonly log: Log;
}

/** A circuit breaker for calls of one kind, which also keeps to the pauses that bitly asks for. */
export function bitlyCalls({ task, breakMs, budget, log }: Deps) {
  const isFailure = (outcome: unknown) => (outcome as Outcome<unknown>).kind === 'failed';
  const breaker = circuitBreaker(handleWhenResult(isFailure), {
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
    halfOpenAfter: breakMs,
  });
  let openUntil = 0;
  breaker.onBreak(() => {
    openUntil = Date.now() + breakMs;
  });
  const report = stateLog(log, task);

  /** Half-open counts as open, so that nobody waits for the one call that tries bitly. */
  const isOpen = (): boolean =>
    breaker.state === CircuitState.HalfOpen ||
    (breaker.state === CircuitState.Open && Date.now() < openUntil);

  const isAllowed = (): boolean => !isOpen() && !budget.isPaused();

  return {
    isOpen,
    isAllowed,
    report,

    /** Undefined where no call was made. */
    run: async <T>(call: () => Promise<Outcome<T>>): Promise<Outcome<T> | undefined> => {
      if (!isAllowed()) return undefined;
      const outcome = await breaker.execute(call).catch(undefinedOn(BrokenCircuitError));
      if (outcome?.kind === 'done') report('working');
      if (outcome?.kind === 'failed') report(`failing: ${outcome.reason}`);
      if (outcome?.kind === 'limited') {
        report('limited');
        await budget.pause(outcome.pauseMs);
      }
      return outcome;
    },
  };
}

/** Limits concurrent calls, with a queue of the same length. Resolves to undefined if the queue is full. */
export function callLimit(atOnce: number) {
  const limit = bulkhead(atOnce, atOnce);
  return <T>(work: () => Promise<T>): Promise<T | undefined> =>
    limit.execute(work).catch(undefinedOn(BulkheadRejectedError));
}

export type CallLimit = ReturnType<typeof callLimit>;

const undefinedOn =
  (refusal: typeof BrokenCircuitError | typeof BulkheadRejectedError) =>
  (error: unknown): undefined => {
    if (!(error instanceof refusal)) throw error;
  };

/** Logs the state of bitly each time that it changes. */
function stateLog(log: Log, task: string) {
  let state = 'working';
  return (next: string): void => {
    if (next === state) return;
    state = next;
    const line = { provider: 'bitly', task, state };
    if (next === 'working') log.info(line, 'bitly works again');
    else log.warn(line, 'bitly does not work now; it will be asked again later');
  };
}
