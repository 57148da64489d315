import type { CallContext } from '@joblisting/bus';

/** The same context with a deadline at most `limitMs` away. */
export const within = (limitMs: number, context: CallContext): CallContext => ({
  ...context,
  deadline: Math.min(context.deadline, Date.now() + limitMs),
});
