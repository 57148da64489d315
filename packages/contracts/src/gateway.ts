import { type Static, Type } from 'typebox';
import { Int32 } from './fields.ts';
import type { Event } from './operation.ts';

/** The maximum number of consumers in one message. */
export const USAGE_BATCH = 1000;

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const UsageTold = Type.Object({
  gateway: Type.String({ minLength: 1, maxLength: 64, description: 'Random; another one after a restart.' }),
  window: Type.Integer({ description: 'Minutes since 1970 at which the counts begin.' }),
  counts: Type.Array(Type.Object({ consumerId: Int32(), reads: Count, writes: Count }), {
    maxItems: USAGE_BATCH,
    description: 'What the sender itself has let through in this window so far.',
  }),
});
export type UsageTold = Static<typeof UsageTold>;

/**
 * Each gateway broadcasts it once a second, so that a limit holds across all of them. Sent without a stream: counts are
 * totals, so the next message corrects a lost or repeated one.
 */
export const usageTold: Event<UsageTold> = {
  subject: 'gateway.v1.event.usage',
  stream: '',
  summary: 'Requests that one gateway has let through in the current minute',
  payload: UsageTold,
};
