import { type Static, Type } from 'typebox';
import type { Event, Stream } from './operation.ts';

export const schedulerStream: Stream = {
  name: 'SCHEDULER',
  subjects: ['scheduler.v1.event.>'],
  maxAgeMs: 7 * 24 * 3600_000,
  maxBytes: 64 * 1024 ** 2,
  duplicateWindowMs: 120_000,
};

const TransitionDue = Type.Object({ instant: Type.String({ format: 'date-time' }) });

/** Dates take effect at 12:00 UTC (spec, "Transitions"). */
export const transitionDue: Event<Static<typeof TransitionDue>> = {
  subject: 'scheduler.v1.event.transition-due',
  stream: schedulerStream.name,
  messageId: 'transition:<instant>',
  summary: 'An instant at which publish and close dates take effect has come',
  payload: TransitionDue,
};
