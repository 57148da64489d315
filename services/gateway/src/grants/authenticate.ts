import { type Scope, ServiceError } from '@joblisting/contracts';
import type { FastifyRequest } from 'fastify';
import { contextOf } from '../http/call.ts';
import { credentialsOf } from './credentials.ts';
import type { Grants } from './grants.ts';

/** Which keys a request needs: both, or only a consumer's (API decisions, "Keys"). */
export type Keys = 'keys' | 'consumer';

export type Authenticate = (request: FastifyRequest, keys: Keys) => Promise<void>;

const REFUSAL = 'Valid API keys are needed: Consumer-API-Key and User-API-Key.';
const CONSUMER_REFUSAL = 'A valid API key is needed: Consumer-API-Key.';

/**
 * Finds out who asks and notes it on the call. Throws the same `unauthenticated` for missing, malformed, unknown,
 * expired and revoked keys; every key that was sent takes the same way to it.
 */
export function authenticator(grants: Grants): Authenticate {
  return async (request, keys) => {
    const { consumer, user } = credentialsOf(request.method, request.headers);
    const refusal = () =>
      new ServiceError('unauthenticated', keys === 'consumer' ? CONSUMER_REFUSAL : REFUSAL);
    if (consumer === undefined || (keys === 'keys' && user === undefined)) throw refusal();
    const userKey = keys === 'keys' ? (user ?? null) : null;
    try {
      request.call.principal = await grants.resolve(consumer, userKey, contextOf(request));
    } catch (error) {
      throw error instanceof ServiceError && error.code === 'unauthenticated' ? refusal() : error;
    }
  };
}

/** Throws `scope_missing` unless the consumer key carries the scope. */
export function requireScope(request: FastifyRequest, scope: Scope): void {
  if (request.call.principal?.scopes.includes(scope)) return;
  throw new ServiceError('scope_missing', `The consumer key does not carry the scope ${scope}.`);
}
