import { type Scope, ServiceError } from '@joblisting/contracts';
import type { FastifyRequest } from 'fastify';
import { contextOf } from '../http/call.ts';
import type { FailedAttempts } from '../limits/failed-attempts.ts';
import { networkOf } from '../limits/network.ts';
import { type RateLimits, refuseBeyondLimit } from '../limits/rate-limits.ts';
import { credentialsOf } from './credentials.ts';
import type { Granted, Grants } from './grants.ts';

/** Which keys a request needs: both, or only a consumer's (API decisions, "Keys"). */
export type Keys = 'keys' | 'consumer';

type Check = (request: FastifyRequest, keys: Keys) => Promise<void>;

export interface Authenticate {
  /** Notes who asks on the call, and holds the request against the consumer's limit. */
  readonly first: Check;
  /** Whether the keys still hold, where time has passed since. */
  readonly again: Check;
}

const REFUSAL = 'Valid API keys are needed: Consumer-API-Key and User-API-Key.';
const CONSUMER_REFUSAL = 'A valid API key is needed: Consumer-API-Key.';
const THROTTLED = 'Too many requests without valid API keys came from this address.';

/**
 * Finds out who asks. Throws `rate_limited` where the consumer's limit is used up, and the same `unauthenticated`
 * for missing, malformed, unknown, expired and revoked keys; every key that was sent takes the same way to it. An address that fails too often gets
 * `rate_limited` in its stead, after the same way: valid keys never get to see that.
 */
export function authenticator(grants: Grants, limits: RateLimits, failures: FailedAttempts): Authenticate {
  const refusalOf = (request: FastifyRequest, keys: Keys): ServiceError => {
    if (failures.add(networkOf(request.ip))) {
      return new ServiceError('rate_limited', THROTTLED, { retryAfterSeconds: failures.secondsLeft() });
    }
    return new ServiceError('unauthenticated', keys === 'consumer' ? CONSUMER_REFUSAL : REFUSAL);
  };

  const grantedTo = async (request: FastifyRequest, keys: Keys): Promise<Granted> => {
    const { consumer, user } = credentialsOf(request.method, request.headers);
    if (consumer === undefined || (keys === 'keys' && user === undefined)) throw refusalOf(request, keys);
    const userKey = keys === 'keys' ? (user ?? null) : null;
    try {
      return await grants.resolve(consumer, userKey, contextOf(request));
    } catch (error) {
      const isRefusal = error instanceof ServiceError && error.code === 'unauthenticated';
      throw isRefusal ? refusalOf(request, keys) : error;
    }
  };

  return {
    first: async (request, keys) => {
      const granted = await grantedTo(request, keys);
      const { call } = request;
      call.principal = granted.principal;
      call.charge = limits.charge(granted.principal.consumerId, request.method, granted);
      refuseBeyondLimit(call.charge);
    },
    again: async (request, keys) => {
      request.call.principal = (await grantedTo(request, keys)).principal;
    },
  };
}

/** Throws `scope_missing` unless the consumer key carries the scope. */
export function requireScope(request: FastifyRequest, scope: Scope): void {
  if (request.call.principal?.scopes.includes(scope)) return;
  throw new ServiceError('scope_missing', `The consumer key does not carry the scope ${scope}.`);
}
