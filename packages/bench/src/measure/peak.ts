import { setTimeout as delay } from 'node:timers/promises';
import type { ByGroup } from './processes.ts';

const EVERY_MS = 100;

/** The largest reading of each group while `work` runs, beside what that resolves to. */
export async function withPeak<T>(
  read: () => ByGroup,
  work: () => Promise<T>,
  everyMs = EVERY_MS,
): Promise<{ readonly result: T; readonly peak: ByGroup }> {
  const peak: Record<string, number> = {};
  let isDone = false;
  const sample = async (): Promise<void> => {
    while (!isDone) {
      for (const [name, value] of Object.entries(read())) peak[name] = Math.max(peak[name] ?? 0, value);
      await delay(everyMs);
    }
  };
  const worked = work().finally(() => {
    isDone = true;
  });
  const [result] = await Promise.all([worked, sample()]);
  return { result, peak };
}
