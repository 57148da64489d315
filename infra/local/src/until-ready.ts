import { setTimeout as delay } from 'node:timers/promises';

const lookMs = 50;
const answerLimitMs = 2000;

/** Resolves when `/readyz` there says 200. Rejects where `signal` aborts before. */
export async function untilReady(origin: string, signal: AbortSignal): Promise<void> {
  while (!(await isReady(origin))) await delay(lookMs, undefined, { signal });
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(answerLimitMs) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
