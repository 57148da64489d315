import { Type } from 'typebox';

export const config = {
  FLUSH_EVERY_MS: Type.Integer({
    default: 1000,
    minimum: 10,
    description: 'How often counts that another replica left behind are looked for.',
  }),
  MAX_WAITING_BATCHES: Type.Integer({
    default: 256,
    minimum: 1,
    description: 'Batches of events that wait to be counted; more are refused with 503.',
  }),
  MAX_WAITING_EVENTS: Type.Integer({
    default: 20_000,
    minimum: 1000,
    description: 'Events in the batches that wait; more are refused with 503.',
  }),
};
