import type { Event, PayloadOf } from '@joblisting/contracts';
import type { JsMsg } from 'nats';
import { headerText } from './header-lines.ts';
import type { BusObserver } from './observer.ts';
import { traceparentHeader } from './wire.ts';

/** After this long, in milliseconds, what was not handled comes again. */
export const RETRY_MS = 1000;

export interface BatchHandler<E extends Event> {
  /**
   * Does the work, which must be idempotent: a message comes again where an ack was lost. All are acknowledged
   * when it resolves; where it rejects, all come again a second later.
   */
  readonly handle: (payloads: readonly PayloadOf<E>[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Handles messages together and acknowledges them all; where that fails, all come again. One that is no JSON never gets better. */
export async function handleBatch<E extends Event>(
  batch: readonly JsMsg[],
  event: E,
  { handle, onError }: BatchHandler<E>,
  observer: BusObserver | undefined,
): Promise<void> {
  const readable: JsMsg[] = [];
  const payloads: PayloadOf<E>[] = [];
  for (const message of batch) {
    try {
      payloads.push(message.json<PayloadOf<E>>());
      readable.push(message);
    } catch (error) {
      onError(error);
      message.term('not JSON');
    }
  }
  const startedAt = performance.now();
  const trace = observer?.traceConsuming(event, traceparentsOf(readable));
  let isDone = false;
  try {
    await (trace ? trace.run(() => handle(payloads)) : handle(payloads));
    for (const message of readable) message.ack();
    isDone = true;
  } catch (error) {
    onError(error);
    for (const message of readable) message.nak(RETRY_MS);
  }
  observer?.consumed(event, readable.length, isDone, performance.now() - startedAt);
  trace?.end(isDone ? 'ok' : 'internal');
}

const traceparentsOf = (messages: readonly JsMsg[]): string[] =>
  messages.flatMap((message) => traceparentHeader.valueIn(headerText(message)) || []);
