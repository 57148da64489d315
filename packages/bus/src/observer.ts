import type { Event, Operation, Reason } from '@joblisting/contracts';
import type { CallContext } from './envelope.ts';

/** Work on one message, observed. */
export interface Observation {
  /** Goes with the message, so that its handler continues the trace (W3C Trace Context, section 3.2). */
  readonly traceparent: string | undefined;
  /** Runs the work, so that what it leads to in this process is part of its trace. */
  readonly run: <T>(work: () => T) => T;
  readonly end: (outcome: string, reason?: Reason) => void;
}

/** Observes what passes over the bus, for metrics and traces. Called for every message: must be quick, never throw. */
export interface BusObserver {
  readonly requesting: (operation: Operation, context: CallContext) => Observation;
  readonly serving: (operation: Operation, context: CallContext) => Observation;
  /** A request that was refused before it was read. */
  readonly rejected: (operation: Operation, reason: Reason) => void;
  readonly publishing: (event: Event) => Observation;
  /** @param traceparents of those events of the batch that have one */
  readonly consuming: (event: Event, batchSize: number, traceparents: readonly string[]) => Observation;
  readonly reconnected: () => void;
}

/** For work that is not observed: passes the trace on. */
export const unobserved = (traceparent?: string): Observation => ({
  traceparent,
  run: (work) => work(),
  end: () => undefined,
});

export const noObserver: BusObserver = {
  requesting: (_operation, { traceparent }) => unobserved(traceparent),
  serving: (_operation, { traceparent }) => unobserved(traceparent),
  rejected: () => undefined,
  publishing: () => unobserved(),
  consuming: () => unobserved(),
  reconnected: () => undefined,
};
