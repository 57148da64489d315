import { setTimeout as delay } from 'node:timers/promises';
import type { Bus, CallContext, RawReply } from '@joblisting/bus';
import { type ErrorCode, type Operation, ServiceError } from '@joblisting/contracts';

export interface Question {
  readonly operation: Operation;
  readonly params: unknown;
  readonly body: Uint8Array | undefined;
  readonly context: CallContext;
  /** Asking twice does no more than asking once: it changes nothing, or carries an Idempotency-Key. */
  readonly mayRepeat: boolean;
}

type Asked = Pick<Bus, 'forward' | 'isConnected'>;

/** What a second attempt is worth: with less time left the answer is 504 at once. */
const ENOUGH_MS = 300;
const PAUSE_MS = 50;

/**
 * Asks the owner of the operation. Where the reply is lost because the bus went away, and asking twice does no
 * harm, asks once more as soon as the bus is back. Rejects as the bus does; with `deadline_exceeded` where the second
 * attempt was not executed, because the first one may have been.
 */
export async function ask(bus: Asked, question: Question): Promise<RawReply> {
  try {
    return await put(bus, question);
  } catch (error) {
    const isLost = isRefusal(error, 'deadline_exceeded') && !bus.isConnected();
    if (!isLost || !question.mayRepeat) throw error;
    return await askAgain(bus, question, error);
  }
}

async function askAgain(bus: Asked, question: Question, lost: unknown): Promise<RawReply> {
  while (question.context.deadline - Date.now() >= ENOUGH_MS) {
    try {
      if (bus.isConnected()) return await put(bus, question);
    } catch (error) {
      if (isRefusal(error, 'overloaded')) break;
      // Its owner is not back on the bus, or still works on the first attempt.
      const isNotYet = isRefusal(error, 'unavailable') || isRefusal(error, 'idempotency_key_in_flight');
      if (!isNotYet) throw error;
    }
    await delay(PAUSE_MS);
  }
  throw lost;
}

const put = (bus: Asked, { operation, params, body, context }: Question): Promise<RawReply> =>
  bus.forward(operation, params, body, context);

const isRefusal = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ServiceError && error.code === code;
