/**
 * How long after a rename a job can still be committed under the old name: `jobs` caches a company for a minute, and a
 * request lasts some seconds.
 */
const LAST_PUSH_AFTER_MS = 90_000;

/** When to send a new name to `jobs` once more; undefined when that is over. */
export function nextPushAt(startedAt: number, pushedAt: number): number | undefined {
  const last = startedAt + LAST_PUSH_AFTER_MS;
  return pushedAt >= last ? undefined : last;
}
