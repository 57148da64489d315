import type { Bus, CallContext } from '@joblisting/bus';
import { overloaded, type Principal, resolveGrants, ServiceError, unavailable } from '@joblisting/contracts';
import { type Clock, semaphore } from '@joblisting/service-kit';
import { LRUCache } from 'lru-cache';
import { waitLimiter } from '../limits/wait-limiter.ts';
import type { ConsumerLimits } from '../limits/rate-limits.ts';
import type { Credentials } from './credentials.ts';

/** How long an answer of `accounts` holds: no longer than a revocation may take (API decisions, "Keys"). */
const LIFETIME_MS = 5000;
/**
 * How long a refusal holds. A refused secret cannot become valid: new ones are random, and revoked or expired ones
 * stay so.
 */
const REFUSAL_LIFETIME_MS = 60_000;
const CAPACITY = 10_000;
/** The most requests that wait for look-ups, in total and of one client. They use memory, but no place yet. */
const MOST_WAITING = [1024, 256] as const;
/** Concurrent look-ups of unknown keys: few enough that `accounts` always has room for valid keys. */
const MOST_LOOK_UPS = 16;
const LIMITED = 'Too many API keys from this address are being checked.';

/** What the keys of a request grant. */
export interface Grants extends ConsumerLimits {
  readonly principal: Principal;
}

interface Entry {
  readonly grants: Promise<Grants>;
  /** On the monotonic clock; infinite while the look-up is under way. */
  goodUntil: number;
  /** Undefined while the look-up is under way. */
  keyIds?: readonly number[];
  /** The keys were valid at the last look-up. */
  readonly isKnown: boolean;
}

interface Refusal {
  readonly until: number;
  readonly requestId: string;
}

interface GrantsOptions {
  readonly bus: Pick<Bus, 'request'>;
  readonly clock: Clock;
  /** Milliseconds that only ever go forward. */
  readonly monotonic: () => number;
  readonly capacity?: number;
}

export type GrantsCache = ReturnType<typeof grantsCache>;

/**
 * Resolves keys to grants. A grant is cached for 5 s from its request, and dropped when one of its keys is revoked; a
 * refusal is cached for 60 s. Requests for the same keys share one look-up. Look-ups of unknown keys are limited, so
 * that those of valid keys never wait behind them.
 */
export function grantsCache({ bus, clock, monotonic, capacity = CAPACITY }: GrantsOptions) {
  const entries = new LRUCache<string, Entry>({ max: capacity });
  const refusals = new LRUCache<string, Refusal>({ max: capacity });
  const unknownKeys = semaphore(MOST_LOOK_UPS);
  const tooMany = () => new ServiceError('rate_limited', LIMITED, { retryAfterSeconds: 1 });
  const waitForUnknown = waitLimiter(...MOST_WAITING, tooMany);
  const waitForKnown = waitLimiter(...MOST_WAITING, () => overloaded('gateway_concurrency'));

  const lookUp = (credentials: Credentials, isKnown: boolean, context: CallContext): Promise<Grants> => {
    const { id } = credentials;
    const request = async () => {
      const askedAt = monotonic();
      const body = { consumer: credentials.consumer(), user: credentials.user() };
      const { data } = await bus.request(resolveGrants, { body, context });
      const keysLiveMs = data.expiresAt === null ? Infinity : Date.parse(data.expiresAt) - clock.now();
      entry.goodUntil = askedAt + Math.min(LIFETIME_MS, keysLiveMs);
      entry.keyIds = data.keyIds;
      return data;
    };
    const answered = (isKnown ? request() : unknownKeys(request)).catch((error: unknown) => {
      const isRefused = error instanceof ServiceError && error.code === 'unauthenticated';
      if (isRefused) {
        refusals.set(id, { until: monotonic() + REFUSAL_LIFETIME_MS, requestId: context.requestId });
      }
      // Valid keys stay known while `accounts` is unavailable.
      if (isKnown && !isRefused) entry.goodUntil = -Infinity;
      else if (entries.peek(id) === entry) entries.delete(id);
      throw refusalOf(error);
    });
    const entry: Entry = { grants: answered, goodUntil: Infinity, isKnown };
    entries.set(id, entry);
    return answered;
  };

  return {
    /**
     * Rejects with `unauthenticated`; with `unavailable` or `overloaded` if the keys cannot be checked now; with
     * `rate_limited` if too many unknown keys of the network wait. The request itself was not executed then.
     */
    resolve: async (credentials: Credentials, network: string, context: CallContext): Promise<Grants> => {
      const { id } = credentials;
      if ((refusals.get(id)?.until ?? 0) > monotonic()) throw new ServiceError('unauthenticated');
      const entry = entries.get(id);
      const isGood = entry !== undefined && entry.goodUntil > monotonic();
      if (isGood && entry.keyIds) return entry.grants;
      const isKnown = entry !== undefined && (entry.isKnown || entry.keyIds !== undefined);
      const wait = () => (isGood ? entry.grants : lookUp(credentials, isKnown, context));
      return isKnown ? waitForKnown(id, wait) : waitForUnknown(network, wait);
    },

    /** The request whose look-up refused the keys: accounts logged why. */
    refusedBy: ({ id }: Credentials): string | undefined => refusals.peek(id)?.requestId,

    /**
     * Drops every answer that depends on the key, and look-ups under way, which may have read the key before its
     * change.
     */
    drop: (keyId: number): void => {
      for (const [id, { keyIds }] of entries) {
        if (keyIds === undefined || keyIds.includes(keyId)) entries.delete(id);
      }
    },
  };
}

function refusalOf(error: unknown): ServiceError {
  if (!(error instanceof ServiceError)) return new ServiceError('internal', undefined, { cause: error });
  const { code, reason = 'deadline' } = error;
  if (code === 'unauthenticated' || code === 'overloaded') return error;
  if (code === 'unavailable' || code === 'deadline_exceeded') {
    return unavailable(reason, 'The keys cannot be checked at the moment.', error);
  }
  return new ServiceError('internal', undefined, { cause: error });
}
