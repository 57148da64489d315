import type { IncomingMessage } from 'node:http';
import { type Principal, type Scope, ServiceError } from '@joblisting/contracts';
import type { FastifyRequest } from 'fastify';
import { contextOf } from '../http/call.ts';
import type { FailedAttempts } from '../limits/failed-attempts.ts';
import { networkOf } from '../limits/network.ts';
import { type Charge, type RateLimits, refuseBeyondLimit } from '../limits/rate-limits.ts';
import { credentialsOf, type Keys } from './credentials.ts';
import type { Granted, Grants } from './grants.ts';

/** Who asks, and what that was held against. */
export interface Admitted {
  readonly principal: Principal;
  readonly charge: Charge;
}

type Check = (request: FastifyRequest, keys: Keys) => Promise<void>;

export interface Authenticate {
  /** Notes who asks on the call, and holds the request against the consumer's limit. */
  readonly first: Check;
  /** Whether the keys still hold, where time has passed since. */
  readonly again: Check;
  /**
   * The same as `first` for both keys and `requireScope`, where the keys are known and nothing is refused. Undefined
   * otherwise: then nothing was counted.
   */
  readonly atOnce: (raw: IncomingMessage, scope: Scope) => Admitted | undefined;
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
    const credentials = credentialsOf(request.method, request.headers, keys);
    if (!credentials) throw refusalOf(request, keys);
    try {
      return await grants.resolve(credentials, contextOf(request));
    } catch (error) {
      const isRefusal = error instanceof ServiceError && error.code === 'unauthenticated';
      throw isRefusal ? refusalOf(request, keys) : error;
    }
  };

  const charge = (granted: Granted, method: string): Charge =>
    limits.charge(granted.principal.consumerId, method, granted);

  return {
    first: async (request, keys) => {
      const granted = await grantedTo(request, keys);
      const { call } = request;
      call.principal = granted.principal;
      call.charge = charge(granted, request.method);
      refuseBeyondLimit(call.charge);
    },
    again: async (request, keys) => {
      request.call.principal = (await grantedTo(request, keys)).principal;
    },
    atOnce: ({ method = '', headers }, scope) => {
      const credentials = credentialsOf(method, headers, 'keys');
      const granted = credentials && grants.known(credentials);
      if (!granted?.principal.scopes.includes(scope)) return undefined;
      const charged = charge(granted, method);
      return charged.retryAfter === undefined ? { principal: granted.principal, charge: charged } : undefined;
    },
  };
}

/** Throws `scope_missing` unless the consumer key carries the scope. */
export function requireScope(request: FastifyRequest, scope: Scope): void {
  if (request.call.principal?.scopes.includes(scope)) return;
  throw new ServiceError('scope_missing', `The consumer key does not carry the scope ${scope}.`);
}
