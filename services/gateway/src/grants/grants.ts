import type { Bus, CallContext } from '@joblisting/bus';
import { type Principal, resolveGrants, ServiceError } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import { dropFirst } from '../limits/drop-first.ts';
import type { OwnLimits } from '../limits/rate-limits.ts';
import type { Credentials } from './credentials.ts';

/** How long an answer of `accounts` holds: no longer than a revocation may take (API decisions, "Keys"). */
const REMEMBERED_MS = 5000;
const CAPACITY = 10_000;

/** Who stands behind a request's keys, and how much the consumer may ask. */
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
  /** The most that are remembered; the oldest answer goes first. */
  readonly capacity?: number;
}

export type Grants = ReturnType<typeof rememberGrants>;

/**
 * Says who stands behind a request's keys. Answers are remembered for 5 s and dropped at once when
 * one of their keys is revoked; refusals are not remembered; look-ups of the same keys that are under way are shared.
 */
export function rememberGrants({ bus, clock, monotonic, capacity = CAPACITY }: GrantsOptions) {
  const remembered = new Map<string, Remembered>();
  const underWay = new Map<string, Promise<Granted>>();
  let revocations = 0;

  const lookUp = async (credentials: Credentials, context: CallContext) => {
    const askedAt = monotonic();
    const revokedBefore = revocations;
    const body = { consumer: credentials.consumer(), user: credentials.user() };
    const { data } = await bus.request(resolveGrants, { body, context }).catch(refuse);
    const left = data.expiresAt === null ? REMEMBERED_MS : Date.parse(data.expiresAt) - clock.now();
    // An answer that a revocation overtook may be the one from before it.
    if (revocations === revokedBefore) {
      remember(credentials.id, { ...data, goodUntil: askedAt + Math.min(REMEMBERED_MS, left) });
    }
    return data;
  };

  const remember = (id: string, grants: Remembered) => {
    remembered.delete(id);
    remembered.set(id, grants);
    if (remembered.size > capacity) dropFirst(remembered);
  };

  /** What is remembered and still holds: undefined where it has to be asked for. */
  const known = ({ id }: Credentials): Granted | undefined => {
    const found = remembered.get(id);
    return found && found.goodUntil > monotonic() ? found : undefined;
  };

  return {
    known,

    /**
     * Rejects with `unauthenticated`, or with `unavailable` or `overloaded` where that cannot be found out now:
     * the request itself has not been executed then.
     */
    resolve: async (credentials: Credentials, context: CallContext): Promise<Granted> => {
      const remains = known(credentials);
      if (remains) return remains;
      const { id } = credentials;
      let asking = underWay.get(id);
      if (!asking) {
        asking = lookUp(credentials, context).finally(() => underWay.delete(id));
        underWay.set(id, asking);
      }
      return asking;
    },

    /** Forgets every answer that the key had a part in. */
    drop: (keyId: number): void => {
      revocations++;
      for (const [id, { keyIds }] of remembered) if (keyIds.includes(keyId)) remembered.delete(id);
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
