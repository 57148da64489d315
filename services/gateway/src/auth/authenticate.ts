import { resolveGrants, type Scope, ServiceError } from '@joblisting/contracts';
import { networkOf } from '@joblisting/service-kit/http';
import type { FastifyRequest } from 'fastify';
import { announcedLength } from '../http/body.ts';
import { called, contextOf } from '../http/request-state.ts';
import type { FailedAttempts } from '../limits/failed-attempts.ts';
import { type RateLimits, requireBelowLimit } from '../limits/rate-limits.ts';
import type { RefusalPause } from '../limits/refusal-pause.ts';
import { credentialsOf, keyFaultOf, type Keys } from './credentials.ts';
import type { Grants, GrantsCache } from './grants.ts';

type Check = (request: FastifyRequest, keys: Keys) => Promise<void>;

export interface Authenticator {
  /** Sets the request's principal, and counts the request against the consumer's limit. */
  readonly authenticate: Check;
  /** Checks the keys again, because a body may take long to arrive. */
  readonly checkAgain: Check;
}

const REFUSAL = 'Valid API keys are needed: Consumer-API-Key and User-API-Key.';
const CONSUMER_REFUSAL = 'A valid API key is needed: Consumer-API-Key.';
const THROTTLED = 'Too many requests without valid API keys came from this address.';

/**
 * Throws `rate_limited` where the consumer's limit is used up, and the same `unauthenticated` for missing, malformed,
 * unknown, expired and revoked keys. An address that fails too often gets `rate_limited` instead, after the same look-up
 * and a pause; valid keys never do.
 */
export function authenticator(
  grants: GrantsCache,
  limits: RateLimits,
  failures: FailedAttempts,
  pause: RefusalPause,
): Authenticator {
  const refusalOf = async (request: FastifyRequest, keys: Keys): Promise<ServiceError> => {
    if (failures.add(networkOf(request.ip))) {
      // Discards the body as it arrives, and frees the request's place during the pause.
      request.raw.resume();
      request.state.release();
      await pause(announcedLength(request.raw), false);
      return new ServiceError('rate_limited', THROTTLED, { retryAfterSeconds: failures.secondsLeft() });
    }
    return new ServiceError('unauthenticated', keys === 'consumer' ? CONSUMER_REFUSAL : REFUSAL);
  };

  const grantsOf = async (request: FastifyRequest, keys: Keys): Promise<Grants> => {
    const credentials = credentialsOf(request.method, request.headers, keys);
    if (!credentials) {
      request.state.refusedKeys = keyFaultOf(request.method, request.headers, keys);
      throw await refusalOf(request, keys);
    }
    try {
      const resolving = grants.resolve(credentials, networkOf(request.ip), contextOf(request));
      return await called(request, resolveGrants.owner, resolving);
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.code === 'unauthenticated';
      if (!isRefused) throw error;
      request.state.refusedKeys = `looked up by ${grants.refusedBy(credentials) ?? request.id}`;
      throw await refusalOf(request, keys);
    }
  };

  return {
    authenticate: async (request, keys) => {
      const granted = await grantsOf(request, keys);
      request.state.principal = granted.principal;
      request.charge = limits.charge(granted.principal.consumerId, request.method, granted);
      requireBelowLimit(request.charge);
    },
    checkAgain: async (request, keys) => {
      request.state.principal = (await grantsOf(request, keys)).principal;
    },
  };
}

/** Throws `scope_missing` unless the consumer key carries the scope. */
export function requireScope(request: FastifyRequest, scope: Scope): void {
  if (request.state.principal?.scopes.includes(scope)) return;
  throw new ServiceError('scope_missing', `The consumer key does not carry the scope ${scope}.`);
}
