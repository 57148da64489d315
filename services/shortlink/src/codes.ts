import { randomInt } from 'node:crypto';

/** 62^7 is 3.5 million million codes: guessing one of a million links takes a million tries and more. */
export const CODE_LENGTH = 7;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A whole number in [0, max). */
export type RandomInt = (max: number) => number;

/** A new random code. That it is not taken is up to the store's unique key. */
export function newCode(random: RandomInt = randomInt): string {
  return Array.from({ length: CODE_LENGTH }, () => BASE62[random(BASE62.length)]).join('');
}
