import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BodyRules, readBody } from './body.ts';
import type { Buffers } from './buffers.ts';
import { overloaded } from './in-flight.ts';

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
): Promise<Uint8Array> {
  const hold = (bytes: number): void => {
    buffers.awaitClient(response, bytes);
    if (buffers.areFull()) throw overloaded();
  };
  const isComing = !raw.complete;
  const since = Date.now();
  if (isComing) call.leave();
  const body = await readBody(raw, { ...rules, hold });
  if (isComing) call.enter();
  call.deadline += Date.now() - since;
  buffers.work(response, body.length);
  return body;
}
