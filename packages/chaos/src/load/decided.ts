import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '@joblisting/e2e/harness';

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
  /** Hears of each answer that is neither a decision nor 503 or 504. */
  readonly onOdd?: (what: string) => void;
}

const PAUSE_MS = 100;

/**
 * Sends until the answer decides, as a client should: 503 and 429 say "not executed" and when to come back; 504
 * and a lost connection leave the outcome open, so the same request goes out again.
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
    if (answer && answer.status < 500 && answer.status !== 429) return { answer, isUncertain, before };
    if (answer) {
      const what = `${answer.status} ${String(answer.json?.code)}`;
      before.push(what);
      if (answer.status === 504 || answer.status === 500) isUncertain = true;
      if (answer.status !== 503 && answer.status !== 504) onOdd?.(what);
    }
    const wait = Number(answer?.headers.get('retry-after') ?? 0) * 1000;
    await delay(Math.max(PAUSE_MS, wait));
  }
  throw new Error(`no decision within ${limitMs} ms; the last answers were: ${before.slice(-3).join(', ')}`);
}

/** The short name of what went wrong with a connection. */
export function reasonOf(error: unknown): string {
  const { code, cause, name } = error as { code?: string; cause?: unknown; name?: string };
  if (typeof code === 'string') return code;
  return cause === undefined ? (name ?? String(error)) : reasonOf(cause);
}
