import type { RawReply } from '@joblisting/bus';
import { envelope } from '../http/envelope.ts';
import { entityTag } from '../http/etag.ts';

/**
 * What goes out as it is: data in its envelope, and the tag of the data. Node sends text in one piece with its headers,
 * which costs a tenth less of an answer than bytes do.
 */
export interface ReadyAnswer {
  readonly body: string;
  readonly tag: string;
  /** Of the body, in bytes. */
  readonly length: string;
}

interface Kept extends ReadyAnswer {
  /** On the monotonic clock. */
  readonly goodUntil: number;
  readonly bytes: number;
}

interface Question {
  readonly askedAt: number;
  readonly reply: Promise<RawReply>;
}

export interface CacheOptions {
  /** Milliseconds that only ever go forward. */
  readonly monotonic: () => number;
  readonly maxAnswers: number;
  readonly maxBytes: number;
}

/** What an answer takes besides its body and its key, about. */
const OVERHEAD_BYTES = 400;
/** One answer must not push out all the others. */
const LARGEST_SHARE = 1 / 8;

export type AnswerCache = ReturnType<typeof cacheAnswers>;

/**
 * Answers that are the same for everybody. Each holds for a time from when it was asked for, not from when it came:
 * what changed since shows no later than that. Errors and answers with warnings are not kept. When it is full, what
 * was put in first goes.
 */
export function cacheAnswers({ monotonic, maxAnswers, maxBytes }: CacheOptions) {
  const kept = new Map<string, Kept>();
  const underWay = new Map<string, Question>();
  let bytes = 0;
  let drops = 0;

  const remove = (key: string): void => {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };

  const keep = (key: string, raw: RawReply, goodUntil: number): void => {
    const isPlain = raw.outcome === 'ok' && !raw.warnings?.length && !raw.paging;
    if (!isPlain || goodUntil <= monotonic()) return;
    const body = envelope(raw.data, [], undefined).toString();
    const size = 2 * (body.length + key.length) + OVERHEAD_BYTES;
    if (size > maxBytes * LARGEST_SHARE) return;
    remove(key);
    const tag = entityTag(raw.version ?? 0, raw.data);
    kept.set(key, { body, tag, length: String(Buffer.byteLength(body)), goodUntil, bytes: size });
    bytes += size;
    for (const oldest of kept.keys()) {
      if (kept.size <= maxAnswers && bytes <= maxBytes) break;
      remove(oldest);
    }
  };

  const put = (key: string, ask: () => Promise<RawReply>, lifetimeMs: number): Question => {
    const askedAt = monotonic();
    const before = drops;
    const settle = async (): Promise<RawReply> => {
      try {
        const raw = await ask();
        // What a change overtook may be the answer from before it.
        if (drops === before) keep(key, raw, askedAt + lifetimeMs);
        return raw;
      } finally {
        if (underWay.get(key) === question) underWay.delete(key);
      }
    };
    const question = { askedAt, reply: settle() };
    underWay.set(key, question);
    return question;
  };

  return {
    find: (key: string): ReadyAnswer | undefined => {
      const known = kept.get(key);
      return known && known.goodUntil > monotonic() ? known : undefined;
    },

    /**
     * Asks, and keeps the answer. Whoever comes while a question is under way gets its answer, or its refusal,
     * unless it was asked too long ago or before a change.
     */
    ask: (key: string, ask: () => Promise<RawReply>, lifetimeMs: number): Promise<RawReply> => {
      const known = underWay.get(key);
      const isFresh = known && known.askedAt + lifetimeMs > monotonic();
      return (isFresh ? known : put(key, ask, lifetimeMs)).reply;
    },

    /** Forgets every answer, and has none of the questions under way answer anybody who comes from now on. */
    drop: (): void => {
      drops++;
      kept.clear();
      underWay.clear();
      bytes = 0;
    },

    size: () => ({ answers: kept.size, bytes }),
  };
}
