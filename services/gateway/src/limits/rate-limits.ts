import { ServiceError } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';
import { NOT_MODIFIED } from '../http/etag.ts';
import { type Counts, type Kind, kindOf, WINDOW_SECONDS } from './quota.ts';
import type { UsageCounter } from './usage.ts';

/** Requests a minute; null: the gateway's default. */
export interface ConsumerLimits {
  readonly readsPerMinute: number | null;
  readonly writesPerMinute: number | null;
}

/** How a request was counted against its consumer's limit. */
export interface Charge {
  readonly consumerId: number;
  readonly kind: Kind;
  readonly quota: number;
  readonly window: number;
  /** Seconds, where the request was refused: it is not counted then. */
  readonly retryAfter: number | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the keys were found valid. */
    charge: Charge | undefined;
  }
}

type LimitHeaders = Readonly<Record<'RateLimit-Policy' | 'RateLimit', string>>;

export type RateLimits = ReturnType<typeof rateLimits>;

/** Limits of each consumer, for reads and writes apart (API decisions, "Rate limits"). */
export function rateLimits(usage: UsageCounter, defaults: Counts) {
  return {
    /** Counts a request against its consumer's limit. */
    charge: (consumerId: number, method: string, limits: ConsumerLimits): Charge => {
      const kind = kindOf(method);
      const quota = (kind === 'reads' ? limits.readsPerMinute : limits.writesPerMinute) ?? defaults[kind];
      const window = usage.window();
      const retryAfter = usage.tryTake(consumerId, kind, quota) ? undefined : usage.secondsLeft();
      return { consumerId, kind, quota, window, retryAfter };
    },

    /** The headers of an answer: what is left when it goes out. A 304 is free. */
    headers: (charge: Charge, status: number): LimitHeaders => {
      const { consumerId, kind, quota, window, retryAfter } = charge;
      const isRefused = retryAfter !== undefined;
      if (!isRefused && status === NOT_MODIFIED) usage.giveBack(window, consumerId, kind);
      const left = isRefused ? 0 : usage.left(consumerId, kind, quota);
      return {
        'RateLimit-Policy': policyField(kind, quota),
        RateLimit: limitField(kind, left, retryAfter ?? usage.secondsLeft()),
      };
    },
  };
}

/** `RateLimit-Policy`: the quota of this kind of request (draft-ietf-httpapi-ratelimit-headers-11, section 3). */
export const policyField = (kind: Kind, quota: number): string => `"${kind}";q=${quota};w=${WINDOW_SECONDS}`;

/** `RateLimit`: what is left of it, for how many seconds (the same draft, section 4). */
export const limitField = (kind: Kind, left: number, seconds: number): string =>
  `"${kind}";r=${left};t=${seconds}`;

/** Throws `rate_limited` where the request was refused. */
export function requireBelowLimit({ retryAfter, kind, quota }: Charge): void {
  if (retryAfter === undefined) return;
  const detail = `The consumer key's ${quota} ${kind} a minute are used up.`;
  throw new ServiceError('rate_limited', detail, { retryAfterSeconds: retryAfter });
}

/** Puts the limit's headers on every answer to valid keys, whatever its status. */
export function showRateLimits(server: FastifyInstance, limits: RateLimits): void {
  server.decorateRequest('charge');
  server.addHook('onSend', ({ charge }, reply, payload, done) => {
    if (charge) reply.headers(limits.headers(charge, reply.statusCode));
    done(null, payload);
  });
}
