import { ServiceError } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import { LRUCache } from 'lru-cache';

const DAY_MS = 24 * 3600_000;
/** Bounds the counted consumers; the one that wrote longest ago is dropped. */
const CONSUMERS = 20_000;

export type WriteVolume = ReturnType<typeof countWriteVolume>;

/**
 * Limits the bytes of bodies that a consumer sends in a day (UTC). Each gateway counts on its own and from its start:
 * the limit keeps disks from filling, so it need not be exact.
 * @param limit bytes; 0: any number
 */
export function countWriteVolume({ now }: Clock, limit: number, consumers = CONSUMERS) {
  const written = new LRUCache<number, number>({ max: consumers });
  let day = dayAt(now());

  const bytesOf = (consumerId: number): number => {
    const current = dayAt(now());
    if (current !== day) written.clear();
    day = current;
    return written.get(consumerId) ?? 0;
  };

  /** Throws `rate_limited` (`write_volume`) where so many bytes more are too many today. */
  const requireRoom = (consumerId: number, bytes: number): void => {
    if (limit === 0 || bytes === 0 || bytesOf(consumerId) + bytes <= limit) return;
    const detail = `The bodies of the consumer key's requests may have ${limit} bytes a day (UTC) in all.`;
    const retryAfterSeconds = Math.ceil(((day + 1) * DAY_MS - now()) / 1000);
    throw new ServiceError('rate_limited', detail, { reason: 'write_volume', retryAfterSeconds });
  };

  return {
    requireRoom,
    /** Counts a body that has arrived. Throws as `requireRoom` does, the body not counted. */
    add: (consumerId: number, bytes: number): void => {
      requireRoom(consumerId, bytes);
      written.set(consumerId, bytesOf(consumerId) + bytes);
    },
  };
}

const dayAt = (now: number): number => Math.floor(now / DAY_MS);
