import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '@joblisting/testing/system';

/** The answer that decided a request, after one or more attempts. */
export interface Decision {
  readonly answer: Answer;
  /** An earlier attempt may have been executed: its answer was 504 or missing. */
  readonly isUncertain: boolean;
  /** The outcomes of the earlier attempts. */
  readonly before: readonly string[];
}

export interface UntilDecidedOptions {
  readonly limitMs?: number;
  /** Gets each answer that the API does not promise. */
  readonly onOdd?: (what: string) => void;
}

const PAUSE_MS = 100;

/**
 * Sends a request until its answer is final, as a client should: 503 and 429 mean "not executed", 504 and a lost
 * connection "perhaps executed", and 409 `idempotency_key_in_flight` that an earlier attempt is running.
 * @throws Error without a final answer within the limit.
 */
export async function untilDecided(
  send: () => Promise<Answer>,
  { limitMs = 60_000, onOdd }: UntilDecidedOptions = {},
): Promise<Decision> {
  const limitAt = performance.now() + limitMs;
  let isUncertain = false;
  const before: string[] = [];
  while (performance.now() < limitAt) {
    const answer = await send().catch((error: unknown) => {
      before.push(reasonOf(error));
      // A refused connection has sent nothing.
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

/** The code of a connection's error. */
export function reasonOf(error: unknown): string {
  const { code, cause, name } = error as { code?: string; cause?: unknown; name?: string };
  if (typeof code === 'string') return code;
  return cause === undefined ? (name ?? String(error)) : reasonOf(cause);
}
