import { setTimeout as delay } from 'node:timers/promises';

const lookMs = 100;

/**
 * Looks until `condition` answers something true, and answers that.
 * @throws Error that names `what` after `limitMs`
 */
export async function until(what, limitMs, condition) {
  const giveUpAt = Date.now() + limitMs;
  for (;;) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > giveUpAt) throw new Error(`waited ${limitMs / 1000} s in vain for ${what}`);
    await delay(lookMs);
  }
}

export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
