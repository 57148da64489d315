import { ServiceError } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';
import { limitField, policyField } from './headers.ts';
import { type Kind, kindOf } from './quota.ts';
import type { UsageCounter } from './usage.ts';

/** Requests a minute; null: as the gateway has it. */
export interface OwnLimits {
  readonly readsPerMinute: number | null;
  readonly writesPerMinute: number | null;
}

/** What a request was held against. */
export interface Charge {
  readonly consumerId: number;
  readonly kind: Kind;
  readonly quota: number;
  readonly window: number;
  /** Seconds, where it was refused: it is not counted then. */
  readonly retryAfter: number | undefined;
}

type LimitHeaders = Readonly<Record<'RateLimit-Policy' | 'RateLimit', string>>;

const NOT_MODIFIED = 304;

export type RateLimits = ReturnType<typeof rateLimits>;

/** Limits of each consumer, for reads and writes apart (API decisions, "Rate limits"). */
export function rateLimits(usage: UsageCounter, defaults: Record<Kind, number>) {
  return {
    /** Holds a request against its consumer's limit, and counts it where it is let through. */
    charge: (consumerId: number, method: string, own: OwnLimits): Charge => {
      const kind = kindOf(method);
      const quota = (kind === 'reads' ? own.readsPerMinute : own.writesPerMinute) ?? defaults[kind];
      const window = usage.window();
      const retryAfter = usage.take(consumerId, kind, quota) ? undefined : usage.secondsLeft();
      return { consumerId, kind, quota, window, retryAfter };
    },

    /** The headers that show on an answer what is left when it goes out. What was not modified costs nothing. */
    shown: (charge: Charge, status: number): LimitHeaders => {
      const { consumerId, kind, quota, window, retryAfter } = charge;
      const isRefused = retryAfter !== undefined;
      if (!isRefused && status === NOT_MODIFIED) usage.giveBack(window, consumerId, kind, quota);
      const left = isRefused ? 0 : usage.left(consumerId, kind, quota);
      return {
        'RateLimit-Policy': policyField(kind, quota),
        RateLimit: limitField(kind, left, retryAfter ?? usage.secondsLeft()),
      };
    },
  };
}

/** Throws `rate_limited` for a request that was not let through. */
export function refuseBeyondLimit({ retryAfter, kind, quota }: Charge): void {
  if (retryAfter === undefined) return;
  const detail = `The consumer key's ${quota} ${kind} a minute are used up.`;
  throw new ServiceError('rate_limited', detail, { retryAfterSeconds: retryAfter });
}

/** Every answer to valid keys shows their limit, whatever its status. */
export function showLimits(server: FastifyInstance, limits: RateLimits): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const { charge } = request.call;
    if (charge) reply.headers(limits.shown(charge, reply.statusCode));
    done(null, payload);
  });
}
