import type { Bus, RawReply } from '@joblisting/bus';
import { categoriesChanged, LISTED_AT_MOST } from '@joblisting/contracts';
import { LRUCache } from 'lru-cache';
import type { ReadParameters } from '../http/parameters.ts';
import { type PublicAnswer, publicAnswer } from './answer.ts';
import { parametersOf, type Row } from './row.ts';

interface Entry {
  readonly askedAt: number;
  readonly answer: Promise<PublicAnswer>;
}

/** How long an answer of another service stays cached. */
const LIFETIME_MS = 1000;
const MOST_ANSWERS = 5000;
const MOST_BYTES = 8 * 1024 * 1024;
/** The memory of an entry besides its body and its key. */
const OVERHEAD_BYTES = 400;

type PublicCache = ReturnType<typeof publicCache>;

/**
 * Caches answers that are the same for everybody. Each holds for its lifetime, counted from its request; concurrent
 * requests share it. Errors, pages and answers with warnings are not cached. A full cache drops the least recently
 * used.
 * @param monotonic milliseconds that only ever go forward
 */
export function publicCache(monotonic: () => number, most = MOST_ANSWERS, mostBytes = MOST_BYTES) {
  const entries = new LRUCache<string, Entry>({
    max: most,
    maxSize: mostBytes,
    // One answer must not push out all the others.
    maxEntrySize: mostBytes / 8,
  });

  const fetchAnswer = (key: string, request: () => Promise<RawReply>): Promise<PublicAnswer> => {
    const answered = request().then(
      (raw) => {
        const answer = publicAnswer(raw);
        // Another entry replaced this one, or `drop` removed it: the answer may be from before a change.
        if (entries.peek(key) !== entry) return answer;
        const isPlain = raw.outcome === 'ok' && !raw.warnings?.length && !raw.paging;
        if (isPlain) entries.set(key, entry, { size: sizeOf(key, answer) });
        else entries.delete(key);
        return answer;
      },
      (error: unknown) => {
        if (entries.peek(key) === entry) entries.delete(key);
        throw error;
      },
    );
    const entry: Entry = { askedAt: monotonic(), answer: answered };
    entries.set(key, entry, { size: OVERHEAD_BYTES });
    return answered;
  };

  return {
    get: (key: string, lifetimeMs: number, request: () => Promise<RawReply>): Promise<PublicAnswer> => {
      const entry = entries.get(key);
      return entry && entry.askedAt + lifetimeMs > monotonic() ? entry.answer : fetchAnswer(key, request);
    },
    drop: (): void => entries.clear(),
    size: () => ({ answers: entries.size, bytes: entries.calculatedSize }),
  };
}

const sizeOf = (key: string, { body }: PublicAnswer): number =>
  2 * (body.length + key.length) + OVERHEAD_BYTES;

/** `categories`: answers that change with the categories. `fixed`: answers that never change. */
export type PublicCaches = Readonly<Record<'categories' | 'fixed', PublicCache>>;

/**
 * A change of categories shows at once on the gateway that it went through, and within a second on the others: usually
 * at once, because `categories` notifies all gateways before it replies.
 */
export function createPublicCaches(bus: Pick<Bus, 'listen'>, monotonic: () => number): PublicCaches {
  const categories = publicCache(monotonic);
  bus.listen(categoriesChanged, () => categories.drop());
  return { categories, fixed: publicCache(monotonic) };
}

type Values = ReadParameters['values'];

/** The cached answers of one row; undefined where its answers are not kept. The gateway's own never change. */
export function rowCache(row: Row, caches: PublicCaches) {
  const { cached, name, operation } = row;
  if (!cached) return undefined;
  const lifetimeMs = 'answer' in operation ? Infinity : LIFETIME_MS;
  const names = parametersOf(row).filter((parameter) => parameter !== cached.unless);
  return {
    /** Undefined where the answer to these parameters is not kept. */
    keyOf: (values: Values): string | undefined =>
      cached.unless !== undefined && values[cached.unless] !== undefined
        ? undefined
        : [name, ...names.map((parameter) => values[parameter] ?? '')].join(' '),
    get: (key: string, request: () => Promise<RawReply>) => caches[cached.in].get(key, lifetimeMs, request),
  };
}

/**
 * Runs a request and drops the cached answers that it may have changed, before its own answer goes out. That is after
 * every write of a category, and after a write of a job whose warnings name a new category, or are cut off.
 */
export async function dropAfterWrite(
  { method, operation }: Row,
  { categories }: PublicCaches,
  request: () => Promise<RawReply>,
): Promise<RawReply> {
  if (method === 'GET') return request();
  let mayHaveChanged = 'owner' in operation && operation.owner === 'categories';
  try {
    const raw = await request();
    mayHaveChanged ||= mayHaveCreated(raw);
    return raw;
  } finally {
    if (mayHaveChanged) categories.drop();
  }
}

const mayHaveCreated = ({ warnings = [] }: RawReply): boolean =>
  warnings.length >= LISTED_AT_MOST || warnings.some(({ code }) => code === 'category_created');
