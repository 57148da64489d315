import { overloaded } from '@joblisting/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BodyRules, readBody } from './body.ts';
import type { Buffers } from './buffers.ts';

export interface Received {
  readonly body: Uint8Array;
  /** Whether the client was still sending it when it was asked for. */
  readonly wasComing: boolean;
}

/**
 * Reads a request's body. Whoever is still sending has no place among the requests that are worked on, and takes
 * one anew when the body is here. The time that the client takes is its own: the deadline moves by it.
 * Throws as `readBody` does, and `overloaded`.
 */
export async function receiveBody(
  { raw, call }: FastifyRequest,
  { raw: response }: FastifyReply,
  rules: Omit<BodyRules, 'hold'>,
  buffers: Buffers,
): Promise<Received> {
  const hold = (bytes: number): void => {
    buffers.awaitClient(response, bytes);
    if (!buffers.haveRoomFor(bytes)) throw overloaded('gateway_memory');
  };
  const wasComing = !raw.complete;
  const since = Date.now();
  if (wasComing) call.leave();
  try {
    const body = await readBody(raw, { ...rules, hold });
    if (wasComing) call.enter();
    call.deadline += Date.now() - since;
    buffers.work(response, body.buffer.byteLength);
    return { body, wasComing };
  } catch (error) {
    buffers.work(response, 0);
    throw error;
  }
}
