import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceParent } from './trace-parent.ts';

/** As OpenTelemetry has them: who was asked, who asked whom, who published, who took. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A recorded part of a trace. */
export interface Span {
  /** Names it to whoever goes on with the trace. */
  readonly traceparent: string;
  readonly begin: (name: string, kind: SpanKind, attributes?: Attributes) => Span;
  readonly set: (attributes: Attributes) => void;
  /** `error`: a code that says what went wrong, where something did. */
  readonly end: (error?: string) => void;
  readonly hasEnded: () => boolean;
}

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** Without one, a trace begins here. */
  readonly parent?: TraceParent | undefined;
  /** Other traces that led to this. */
  readonly links?: readonly TraceParent[];
  readonly attributes?: Attributes;
}

export interface Tracing {
  /** Whether a trace that comes in here is to be recorded: chance, in the configured ratio. */
  readonly sample: () => boolean;
  readonly begin: (start: SpanStart) => Span;
  /** Sends what is left, for a moment. */
  readonly stop: () => Promise<void>;
}

const storage = new AsyncLocalStorage<Span>();

/** Runs work as part of the span: `currentSpan` knows it wherever that leads in this process. */
export const runIn = <T>(span: Span, work: () => T): T => storage.run(span, work);

/**
 * The span that the running code is part of, if any. What a request has only set off, and goes on after it, is not
 * part of it.
 */
export function currentSpan(): Span | undefined {
  const span = storage.getStore();
  return span?.hasEnded() ? undefined : span;
}
