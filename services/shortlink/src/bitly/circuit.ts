import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhenResult,
} from 'cockatiel';
import type { Outcome } from './outcome.ts';

const FAILURES_IN_A_ROW = 5;

export type Circuit = ReturnType<typeof circuit>;

/**
 * Leaves bitly alone for `breakMs` after some failures in a row; then one call tries it. Nobody waits for that
 * one, as the library would have it: the others do without.
 */
export function circuit(breakMs: number) {
  const isFailure = (outcome: unknown) => (outcome as Outcome<unknown>).kind === 'failed';
  const policy = circuitBreaker(handleWhenResult(isFailure), {
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
    halfOpenAfter: breakMs,
  });
  let openUntil = 0;
  policy.onBreak(() => {
    openUntil = Date.now() + breakMs;
  });
  const isOpen = () =>
    policy.state === CircuitState.HalfOpen || (policy.state === CircuitState.Open && Date.now() < openUntil);

  return {
    isOpen,
    /** Undefined where no call was made. */
    run: async <T>(call: () => Promise<Outcome<T>>): Promise<Outcome<T> | undefined> => {
      if (isOpen()) return undefined;
      try {
        return await policy.execute(call);
      } catch (error) {
        if (error instanceof BrokenCircuitError) return undefined;
        throw error;
      }
    },
  };
}
