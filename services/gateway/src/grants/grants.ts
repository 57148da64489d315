import type { Bus, CallContext } from '@joblisting/bus';
import { type Principal, resolveGrants, ServiceError } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import { dropFirst } from '../limits/drop-first.ts';
import type { OwnLimits } from '../limits/rate-limits.ts';

/** How long an answer of `accounts` holds: no longer than a revocation may take (API decisions, "Keys"). */
const REMEMBERED_MS = 5000;
const CAPACITY = 10_000;

/** Who stands behind a pair of keys, and how much the consumer may ask. */
export interface Granted extends OwnLimits {
  readonly principal: Principal;
}

interface Remembered extends Granted {
  readonly keyIds: readonly number[];
  /** On the monotonic clock. */
  readonly goodUntil: number;
}

export interface GrantsOptions {
  readonly bus: Pick<Bus, 'request'>;
  readonly clock: Clock;
  /** Milliseconds that only ever go forward. */
  readonly monotonic: () => number;
  /** The most pairs that are remembered; the oldest answer goes first. */
  readonly capacity?: number;
}

export type Grants = ReturnType<typeof rememberGrants>;

/**
 * Says who stands behind a pair of keys, given as hashes. Answers are remembered for 5 s and dropped at once when
 * one of their keys is revoked; refusals are not remembered; look-ups of one pair that are under way are shared.
 */
export function rememberGrants({ bus, clock, monotonic, capacity = CAPACITY }: GrantsOptions) {
  const remembered = new Map<string, Remembered>();
  const underWay = new Map<string, Promise<Granted>>();
  let revocations = 0;

  const lookUp = async (pair: string, consumer: string, user: string | null, context: CallContext) => {
    const askedAt = monotonic();
    const revokedBefore = revocations;
    const { data } = await bus.request(resolveGrants, { body: { consumer, user }, context }).catch(refuse);
    const left = data.expiresAt === null ? REMEMBERED_MS : Date.parse(data.expiresAt) - clock.now();
    // An answer that a revocation overtook may be the one from before it.
    if (revocations === revokedBefore) {
      remember(pair, { ...data, goodUntil: askedAt + Math.min(REMEMBERED_MS, left) });
    }
    return data;
  };

  const remember = (pair: string, grants: Remembered) => {
    remembered.delete(pair);
    remembered.set(pair, grants);
    if (remembered.size > capacity) dropFirst(remembered);
  };

  return {
    /**
     * Rejects with `unauthenticated`, or with `unavailable` or `overloaded` where that cannot be found out now:
     * the request itself has not been executed then.
     */
    resolve: async (consumer: string, user: string | null, context: CallContext): Promise<Granted> => {
      const pair = `${consumer} ${user}`;
      const known = remembered.get(pair);
      if (known && known.goodUntil > monotonic()) return known;
      let asking = underWay.get(pair);
      if (!asking) {
        asking = lookUp(pair, consumer, user, context).finally(() => underWay.delete(pair));
        underWay.set(pair, asking);
      }
      return asking;
    },

    /** Forgets every answer that the key had a part in. */
    drop: (keyId: number): void => {
      revocations++;
      for (const [pair, { keyIds }] of remembered) if (keyIds.includes(keyId)) remembered.delete(pair);
    },
  };
}

function refuse(error: unknown): never {
  const code = error instanceof ServiceError ? error.code : 'internal';
  if (code === 'unauthenticated' || code === 'overloaded') throw error;
  if (code === 'unavailable' || code === 'deadline_exceeded') {
    throw new ServiceError('unavailable', 'The keys cannot be checked at the moment.', {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
  throw new ServiceError('internal', undefined, { cause: error });
}
