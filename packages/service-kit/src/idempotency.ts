import { createHash } from 'node:crypto';
import type { Outcome, RawHandler, RawReply, RawRequest } from '@joblisting/bus';
import { errorCodes, type Operation, ServiceError, type Warning } from '@joblisting/contracts';
import { isDuplicateKey } from './database-errors.ts';

/** How long the answer to a key is replayed (API decisions, "Idempotency-Key"). */
export const KEPT_MS = 24 * 3600_000;

/** A key and the request that used it, as digests, which reveal nothing about the client. */
export interface KeyDigests {
  /** Digest of the caller, the operation and the key sent. */
  readonly key: string;
  /** Digest of the request: another request must not use the key. */
  readonly fingerprint: string;
}

/** The first success for a key, stored in the same write as its effect, under a unique `key`. */
export interface KeptAnswer extends KeyDigests {
  readonly outcome: Outcome;
  readonly id?: number;
  readonly version?: number;
  /** The bytes of the reply's data. */
  readonly data: Uint8Array;
  readonly warnings: readonly Warning[];
  /** After that it is not replayed, and may be removed. */
  readonly expireAt: Date;
}

/** Where an operation's answers are kept. */
export interface KeptAnswers {
  /** The answer that was kept for the key, unless it has expired. */
  readonly find: (key: string) => Promise<KeptAnswer | undefined>;
}

/** The error while an earlier request with the key is handled: soon there is an answer, or the key is free. */
export const keyInFlight = (): ServiceError =>
  new ServiceError('idempotency_key_in_flight', undefined, { retryAfterSeconds: 1 });

/** Which keys of a caller for an operation count as the same key, and which requests as the same request. */
export interface RequestIdentity {
  /** The part of the params that is in the path. By default nothing. */
  readonly scope: (params: unknown) => unknown;
  /** What two requests with one key must have in common. By default params and body. */
  readonly fingerprint: (raw: RawRequest) => readonly (string | Uint8Array)[];
}

const defaultIdentity: RequestIdentity = {
  scope: () => undefined,
  fingerprint: ({ params, body }) => [JSON.stringify(params), body],
};

type Handle = (raw: RawRequest, keyed?: KeyDigests) => Promise<RawReply>;

/**
 * Replays the answer to a key that was used before. Rejects with `idempotency_key_reused` for another request, and with
 * `idempotency_key_in_flight` while this process handles the first one. If another process was faster, the handler's
 * own write fails, and the other's answer is replayed.
 */
export function onceForEachKey(
  operation: Operation,
  kept: KeptAnswers,
  handle: Handle,
  identity: Partial<RequestIdentity> = {},
): RawHandler {
  const { scope, fingerprint } = { ...defaultIdentity, ...identity };
  const inFlight = new Set<string>();

  const replay = async ({ key, fingerprint }: KeyDigests): Promise<RawReply | undefined> => {
    const answer = await kept.find(key);
    if (!answer) return undefined;
    if (answer.fingerprint !== fingerprint) throw new ServiceError('idempotency_key_reused');
    const { outcome, id, version, data, warnings } = answer;
    return { outcome, id, version, data, warnings, replayed: true };
  };

  const handleOnce = async (raw: RawRequest, keyed: KeyDigests): Promise<RawReply> => {
    const before = await replay(keyed);
    if (before) return before;
    try {
      return await handle(raw, keyed);
    } catch (error) {
      const meanwhile = mayHaveLostRace(error) ? await replay(keyed) : undefined;
      if (meanwhile) return meanwhile;
      throw error;
    }
  };

  return async (raw) => {
    if (raw.idempotencyKey === undefined) return handle(raw);
    const keyed = {
      key: keyOf(operation, raw, scope(raw.params)),
      fingerprint: digestOf(fingerprint(raw)),
    };
    if (inFlight.has(keyed.key)) throw keyInFlight();
    inFlight.add(keyed.key);
    try {
      return await handleOnce(raw, keyed);
    } finally {
      inFlight.delete(keyed.key);
    }
  };
}

/** The scope of a key is both API keys, method and path (API decisions, "Idempotency-Key"). */
function keyOf({ subject }: Operation, { principal, idempotencyKey }: RawRequest, scope: unknown): string {
  const caller = [principal?.consumerId ?? null, principal?.userId ?? null];
  const path = scope === undefined ? [subject] : [subject, scope];
  return digestOf([JSON.stringify([...caller, ...path, idempotencyKey])]);
}

function digestOf(pieces: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('base64url');
}

/** The conflict may be with the same request in another process. */
const mayHaveLostRace = (error: unknown): boolean =>
  isDuplicateKey(error) || (error instanceof ServiceError && errorCodes[error.code].kind === 'conflict');
