import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '@joblisting/testing/system';

/** The answer that settled a request, after as many attempts as it took. */
export interface Decided {
  readonly answer: Answer;
  /** True where an attempt before it may have been carried out: its answer was 504, or never came. */
  readonly isUncertain: boolean;
  /** What the attempts before it got. */
  readonly before: readonly string[];
}

export interface Patience {
  /** When to give up, in milliseconds. */
  readonly limitMs?: number;
  /** Hears of each answer that is neither a decision nor one that a client is told to expect. */
  readonly onOdd?: (what: string) => void;
}

const PAUSE_MS = 100;

/**
 * Sends until the answer decides, as a client should: 503 and 429 say "not executed" and when to come back; 504
 * and a lost connection leave the outcome open, and 409 `idempotency_key_in_flight` says that an earlier attempt is
 * still at it, so the same request goes out again.
 * @throws Error where nothing decided within the limit.
 */
export async function untilDecided(
  send: () => Promise<Answer>,
  { limitMs = 60_000, onOdd }: Patience = {},
): Promise<Decided> {
  const giveUpAt = performance.now() + limitMs;
  let isUncertain = false;
  const before: string[] = [];
  while (performance.now() < giveUpAt) {
    const answer = await send().catch((error: unknown) => {
      before.push(reasonOf(error));
      // A refused connection has carried nothing.
      if (before.at(-1) !== 'ECONNREFUSED') isUncertain = true;
      return undefined;
    });
    if (answer && isDecision(answer)) return { answer, isUncertain, before };
    if (answer) {
      const what = `${answer.status} ${String(answer.json?.code)}`;
      before.push(what);
      if (answer.status === 504 || answer.status === 500) isUncertain = true;
      if (![409, 503, 504].includes(answer.status)) onOdd?.(what);
    }
    const wait = Number(answer?.headers.get('retry-after') ?? 0) * 1000;
    await delay(Math.max(PAUSE_MS, wait));
  }
  throw new Error(`no decision within ${limitMs} ms; the last answers were: ${before.slice(-3).join(', ')}`);
}

const isDecision = ({ status, json }: Answer): boolean =>
  status < 500 && status !== 429 && json?.code !== 'idempotency_key_in_flight';

/** The short name of what went wrong with a connection. */
export function reasonOf(error: unknown): string {
  const { code, cause, name } = error as { code?: string; cause?: unknown; name?: string };
  if (typeof code === 'string') return code;
  return cause === undefined ? (name ?? String(error)) : reasonOf(cause);
}
