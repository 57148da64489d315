import type { Bus, CallContext } from '@joblisting/bus';
import { type Principal, resolveGrants, ServiceError, unavailable } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import { LRUCache } from 'lru-cache';
import type { ConsumerLimits } from '../limits/rate-limits.ts';
import type { Credentials } from './credentials.ts';

/** How long an answer of `accounts` holds: no longer than a revocation may take (API decisions, "Keys"). */
const LIFETIME_MS = 5000;
const CAPACITY = 10_000;

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
 * Resolves keys to grants. An answer is kept for 5 s, counted from the question, and dropped when one of its keys is
 * revoked. Refusals are not kept. Requests for the same keys share one look-up.
 */
export function grantsCache({ bus, clock, monotonic, capacity = CAPACITY }: GrantsOptions) {
  const entries = new LRUCache<string, Entry>({ max: capacity });

  const lookUp = (credentials: Credentials, context: CallContext): Promise<Grants> => {
    const { id } = credentials;
    const askedAt = monotonic();
    const body = { consumer: credentials.consumer(), user: credentials.user() };
    const answered = bus.request(resolveGrants, { body, context }).then(
      ({ data }) => {
        const keysLiveMs = data.expiresAt === null ? Infinity : Date.parse(data.expiresAt) - clock.now();
        entry.goodUntil = askedAt + Math.min(LIFETIME_MS, keysLiveMs);
        entry.keyIds = data.keyIds;
        return data;
      },
      (error: unknown) => {
        if (entries.peek(id) === entry) entries.delete(id);
        throw refusalOf(error);
      },
    );
    const entry: Entry = { grants: answered, goodUntil: Infinity };
    entries.set(id, entry);
    return answered;
  };

  return {
    /**
     * Rejects with `unauthenticated`, or with `unavailable` or `overloaded` where it cannot be found out now: the
     * request itself has not been executed then.
     */
    resolve: async (credentials: Credentials, context: CallContext): Promise<Grants> => {
      const entry = entries.get(credentials.id);
      return entry && entry.goodUntil > monotonic() ? entry.grants : lookUp(credentials, context);
    },

    /** Forgets every answer that the key had a part in, and those that are under way: they may be from before it. */
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
