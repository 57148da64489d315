import { createHash } from 'node:crypto';
import type { Outcome, RawHandler, RawReply, RawRequest } from '@joblisting/bus';
import { errorCodes, type Operation, ServiceError, type Warning } from '@joblisting/contracts';
import { isDuplicateKey } from './database-errors.ts';

/** How long the answer to a key is given again (API decisions, "Idempotency-Key"). */
export const KEPT_MS = 24 * 3600_000;

/** A key with what it was sent for. Neither tells anything about the client. */
export interface Keyed {
  /** Digest of who asks, what for, and the key sent. */
  readonly key: string;
  /** Digest of the request: another one must not use the key. */
  readonly fingerprint: string;
}

/** The first success for a key. It is stored in the write that it speaks of, under a unique `key`. */
export interface KeptAnswer extends Keyed {
  readonly outcome: Outcome;
  readonly id?: number;
  readonly version?: number;
  /** The bytes of the reply's data. */
  readonly data: Uint8Array;
  readonly warnings: readonly Warning[];
  /** When it may be forgotten, and is not given again any more. */
  readonly expireAt: Date;
}

/** Where an operation's answers are kept. */
export interface KeptAnswers {
  /** The answer that was kept for the key, unless it has expired. */
  readonly find: (key: string) => Promise<KeptAnswer | undefined>;
}

/** The refusal while an earlier request with the key is handled: soon there is an answer, or the key is free. */
export const keyInFlight = (): ServiceError =>
  new ServiceError('idempotency_key_in_flight', undefined, { retryAfterSeconds: 1 });

type Handle = (raw: RawRequest, keyed?: Keyed) => Promise<RawReply>;

/**
 * Answers a key that was used before as it was answered then. Rejects with `idempotency_key_reused` where the
 * request is another one, and with `idempotency_key_in_flight` while the first one is handled in this process.
 * Where another process was faster, its answer is there once the handler's own write has failed.
 */
export function onceForEachKey(operation: Operation, kept: KeptAnswers, handle: Handle): RawHandler {
  const underWay = new Set<string>();

  const replay = async ({ key, fingerprint }: Keyed): Promise<RawReply | undefined> => {
    const answer = await kept.find(key);
    if (!answer) return undefined;
    if (answer.fingerprint !== fingerprint) throw new ServiceError('idempotency_key_reused');
    const { outcome, id, version, data, warnings } = answer;
    return { outcome, id, version, data, warnings, replayed: true };
  };

  const handleOnce = async (raw: RawRequest, keyed: Keyed): Promise<RawReply> => {
    const before = await replay(keyed);
    if (before) return before;
    try {
      return await handle(raw, keyed);
    } catch (error) {
      const meanwhile = mayHaveLost(error) ? await replay(keyed) : undefined;
      if (meanwhile) return meanwhile;
      throw error;
    }
  };

  return async (raw) => {
    if (raw.idempotencyKey === undefined) return handle(raw);
    const keyed = keyedOf(operation, raw, raw.idempotencyKey);
    if (underWay.has(keyed.key)) throw keyInFlight();
    underWay.add(keyed.key);
    try {
      return await handleOnce(raw, keyed);
    } finally {
      underWay.delete(keyed.key);
    }
  };
}

/** The scope of a key is both API keys, method and path: an operation has one of each. */
function keyedOf(operation: Operation, raw: RawRequest, sent: string): Keyed {
  const { principal, params, body } = raw;
  const scope = [principal?.consumerId ?? null, principal?.userId ?? null, operation.subject, sent];
  return {
    key: createHash('sha256').update(JSON.stringify(scope)).digest('base64url'),
    fingerprint: createHash('sha256').update(JSON.stringify(params)).update(body).digest('base64url'),
  };
}

/** A conflict may be with the twin of this very request. */
const mayHaveLost = (error: unknown): boolean =>
  isDuplicateKey(error) || (error instanceof ServiceError && errorCodes[error.code].kind === 'conflict');
