import type { Event, Operation } from '@joblisting/contracts';
import type { CallContext } from './wire.ts';

/** A part of a trace that has begun: somebody wants to know how long it takes and what it leads to. */
export interface TracedWork {
  /** Names it to whoever goes on with the trace (W3C Trace Context, section 3.2). */
  readonly traceparent: string;
  /** Runs the work, so that what it leads to in this process is known to be part of it. */
  readonly run: <T>(work: () => T) => T;
  readonly end: (outcome: string) => void;
}

/**
 * Hears of what passes over the bus, for metrics and traces. It is asked about every message, so it has to be quick,
 * and must not throw. A trace that it does not begin, with undefined, costs no more than the question.
 */
export interface BusObserver {
  readonly asked: (operation: Operation, outcome: string, durationMs: number) => void;
  readonly served: (operation: Operation, outcome: string, durationMs: number) => void;
  readonly published: (event: Event, isStored: boolean) => void;
  /** `count` events were handled together, or are to come again. */
  readonly consumed: (event: Event, count: number, isDone: boolean, durationMs: number) => void;
  readonly reconnected: () => void;
  readonly traceAsking: (operation: Operation, context: CallContext) => TracedWork | undefined;
  readonly traceServing: (operation: Operation, context: CallContext) => TracedWork | undefined;
  readonly tracePublishing: (event: Event) => TracedWork | undefined;
  /** `cameFrom`: the traceparents under which the events were published. */
  readonly traceConsuming: (event: Event, cameFrom: readonly string[]) => TracedWork | undefined;
}
