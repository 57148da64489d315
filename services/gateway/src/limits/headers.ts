import { WINDOW_SECONDS } from './minutes.ts';
import type { Kind } from './quota.ts';

/** `RateLimit-Policy`: the quota of this kind of request (draft-ietf-httpapi-ratelimit-headers-11, section 3). */
export const policyField = (kind: Kind, quota: number): string => `"${kind}";q=${quota};w=${WINDOW_SECONDS}`;

/** `RateLimit`: what is left of it, for how many seconds (the same draft, section 4). */
export const limitField = (kind: Kind, left: number, seconds: number): string =>
  `"${kind}";r=${left};t=${seconds}`;
