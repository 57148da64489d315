import type { ApplicationCopy } from '@joblisting/contracts';

/** One e-mail copy of an application. Instants in epoch milliseconds. */
export interface Copy {
  /** Its place among the copies of the application, from 0. */
  readonly no: number;
  readonly email: string;
  readonly state: ApplicationCopy['state'];
  readonly attempts: number;
  readonly lastAttemptAt: number | null;
  /** null once the state is final. */
  readonly nextAttemptAt: number | null;
  /** When it was queued, or queued again. */
  readonly queuedAt: number;
  /** How often it was queued again. Each round has a Message-ID of its own. */
  readonly round: number;
  /** What the mail server said last, or why it failed. */
  readonly response: string | null;
}

/** How an attempt to send ended. `temporary`: a 4xx reply, or no connection. */
export interface SendOutcome {
  readonly kind: 'sent' | 'temporary' | 'permanent';
  /** For the company that reads the copy. */
  readonly response: string;
  /** For the log: the server's reply code, or the code of the network fault. */
  readonly code?: string | number | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses after failed attempts; the last one repeats (RFC 5321, section 4.5.4.1: 30 minutes, and longer later). */
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS];
/** No attempt starts later than this after the copy was queued. */
const GIVE_UP_AFTER_MS = 3 * 24 * HOUR_MS;
/** Stored of a server's reply. */
const RESPONSE_MAX = 500;

export const newCopy = (email: string, no: number, now: number): Copy => ({
  no,
  email,
  state: 'queued',
  attempts: 0,
  lastAttemptAt: null,
  nextAttemptAt: now,
  queuedAt: now,
  round: 0,
  response: null,
});

/** The copy after an attempt at `now`. A temporary failure is tried again for three days, a permanent one never. */
export function afterAttempt(copy: Copy, outcome: SendOutcome, now: number): Copy {
  const attempts = copy.attempts + 1;
  const attempted = {
    ...copy,
    attempts,
    lastAttemptAt: now,
    response: outcome.response.slice(0, RESPONSE_MAX),
  };
  if (outcome.kind === 'sent') return { ...attempted, state: 'sent', nextAttemptAt: null };
  const pauseMs = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] as number;
  const isTriedAgain = outcome.kind === 'temporary' && now + pauseMs <= copy.queuedAt + GIVE_UP_AFTER_MS;
  return isTriedAgain
    ? { ...attempted, state: 'deferred', nextAttemptAt: now + pauseMs }
    : { ...attempted, state: 'failed', nextAttemptAt: null };
}

/** The copy queued again, with three more days; unchanged while it waits, or if only failed ones are wanted. */
export function queueAgain(copy: Copy, to: 'failed' | 'all', now: number): Copy {
  const isWanted = copy.state === 'failed' || (copy.state === 'sent' && to === 'all');
  if (!isWanted) return copy;
  return {
    ...copy,
    state: 'queued',
    attempts: 0,
    nextAttemptAt: now,
    queuedAt: now,
    round: copy.round + 1,
  };
}
