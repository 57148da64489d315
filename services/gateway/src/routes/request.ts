import { setTimeout as delay } from 'node:timers/promises';
import type { Bus, CallContext, RawReply } from '@joblisting/bus';
import { type ErrorCode, type Operation, ServiceError } from '@joblisting/contracts';

interface OwnerRequest {
  readonly operation: Operation;
  readonly params: unknown;
  readonly body: Uint8Array | undefined;
  readonly context: CallContext;
  /** Safe to execute twice: it changes nothing, or carries an Idempotency-Key. */
  readonly isRepeatable: boolean;
}

/** The part of the bus that carries requests to the owners of operations. */
export type OwnerBus = Pick<Bus, 'forward' | 'isConnected'>;

/** With less time left a second attempt is not worth making: the answer is 504 at once. */
const ENOUGH_MS = 300;
const PAUSE_MS = 50;

/**
 * Sends a request to the owner of the operation. If the bus connection breaks before the reply, sends a repeatable
 * request once more as soon as the bus is back. Rejects as the bus does; with `deadline_exceeded` if the second attempt
 * was not executed, because the first one may have been.
 */
export async function requestOwner(bus: OwnerBus, request: OwnerRequest): Promise<RawReply> {
  try {
    return await send(bus, request);
  } catch (error) {
    const isReplyLost = hasCode(error, 'deadline_exceeded') && !bus.isConnected();
    if (!isReplyLost || !request.isRepeatable) throw error;
    return await repeat(bus, request, error);
  }
}

async function repeat(bus: OwnerBus, request: OwnerRequest, firstError: unknown): Promise<RawReply> {
  while (request.context.deadline - Date.now() >= ENOUGH_MS) {
    try {
      if (bus.isConnected()) return await send(bus, request);
    } catch (error) {
      if (hasCode(error, 'overloaded')) break;
      // The owner is not back on the bus, or still works on the first attempt.
      const isTooEarly = hasCode(error, 'unavailable') || hasCode(error, 'idempotency_key_in_flight');
      if (!isTooEarly) throw error;
    }
    await delay(PAUSE_MS);
  }
  throw firstError;
}

const send = (bus: OwnerBus, { operation, params, body, context }: OwnerRequest): Promise<RawReply> =>
  bus.forward(operation, params, body, context);

const hasCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ServiceError && error.code === code;
