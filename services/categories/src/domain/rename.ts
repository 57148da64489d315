import { DECIDED_AFTER_MS } from './reference.ts';

/** Longer than any request lasts: after that, whoever began the rename is gone and another one finishes it. */
const TAKEN_OVER_AFTER_MS = 10_000;

/** When the background is to push a rename that its own request never got to push. */
export const firstPushAt = (startedAt: number): number => startedAt + TAKEN_OVER_AFTER_MS;

/**
 * When a rename that was pushed is to be pushed once more; undefined when it is finished. A job that was given the
 * old name before the rename can be committed after the push, until its acquisition is too old.
 */
export function nextPushAt(startedAt: number, pushedAt: number): number | undefined {
  const last = startedAt + DECIDED_AFTER_MS;
  return pushedAt >= last ? undefined : last;
}
