import { ServiceError } from '@joblisting/contracts';
import type { BusObserver } from './observer.ts';
import type { Requester } from './requester.ts';

type Forward = Requester['forward'];

/** Asks as `forward` does, and tells the observer how that ended. */
export function observedForward(forward: Forward, observer: BusObserver): Forward {
  return async (operation, params, body, context) => {
    const startedAt = performance.now();
    const trace = observer.traceAsking(operation, context);
    let outcome = 'internal';
    try {
      const sent = trace ? { ...context, traceparent: trace.traceparent } : context;
      const reply = await forward(operation, params, body, sent);
      outcome = reply.outcome;
      return reply;
    } catch (error) {
      if (error instanceof ServiceError) outcome = error.code;
      throw error;
    } finally {
      observer.asked(operation, outcome, performance.now() - startedAt);
      trace?.end(outcome);
    }
  };
}
