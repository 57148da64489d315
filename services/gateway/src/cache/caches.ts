import type { Bus, RawReply } from '@joblisting/bus';
import { categoriesChanged, LISTED_AT_MOST } from '@joblisting/contracts';
import { parametersOf, type Row } from '../routes/row.ts';
import { type AnswerCache, cacheAnswers } from './answers.ts';

/** What anyone may read: what changes with categories, and what does not change. */
export type Caches = Readonly<Record<'categories' | 'fixed', AnswerCache>>;

/** How long what another service answered is given again. */
export const FRESH_MS = 1000;

const LIMITS = {
  categories: { maxAnswers: 5000, maxBytes: 8 * 1024 * 1024 },
  fixed: { maxAnswers: 500, maxBytes: 2 * 1024 * 1024 },
};

/**
 * The caches of a gateway. What is promised of a change of categories: once the gateway that it went through has
 * answered, that gateway shows it. Every other one shows it a second later at the latest, whatever is lost on the
 * way; as a rule at once, because `categories` tells all gateways before it answers the one that asked.
 */
export function createCaches(bus: Pick<Bus, 'listen'>, monotonic: () => number): Caches {
  const categories = cacheAnswers({ monotonic, ...LIMITS.categories });
  bus.listen(categoriesChanged, () => categories.drop());
  return { categories, fixed: cacheAnswers({ monotonic, ...LIMITS.fixed }) };
}

type Values = Readonly<Record<string, string | number>>;

/** The cached answers of one operation. */
export interface CachedRow {
  /** Undefined where the answer to these parameters is not kept. */
  readonly keyOf: (values: Values) => string | undefined;
  readonly find: AnswerCache['find'];
  readonly ask: (key: string, ask: () => Promise<RawReply>) => Promise<RawReply>;
}

/** Undefined where the row's answers are not kept. What the gateway answers out of itself holds for ever. */
export function cachedRow(row: Row, caches: Caches): CachedRow | undefined {
  const { cached, name, operation } = row;
  if (!cached) return undefined;
  const { find, ask } = caches[cached.in];
  const lifetimeMs = 'answer' in operation ? Infinity : FRESH_MS;
  const names = parametersOf(row).filter((parameter) => parameter !== cached.unless);
  return {
    keyOf: (values) =>
      cached.unless !== undefined && values[cached.unless] !== undefined
        ? undefined
        : names.reduce((key, parameter) => `${key} ${values[parameter] ?? ''}`, name),
    find,
    ask: (key, question) => ask(key, question, lifetimeMs),
  };
}

/**
 * Asks, and drops what that may have changed before the answer goes out: for a write of a category whatever came of
 * it, for one of a job where it says that it made a category, or has more to say than there is room for.
 */
export async function askAndDrop(
  { method, operation }: Row,
  { categories }: Caches,
  ask: () => Promise<RawReply>,
): Promise<RawReply> {
  if (method === 'GET') return ask();
  let mayHaveChanged = 'owner' in operation && operation.owner === 'categories';
  try {
    const raw = await ask();
    mayHaveChanged ||= mayHaveCreated(raw);
    return raw;
  } finally {
    if (mayHaveChanged) categories.drop();
  }
}

const mayHaveCreated = ({ warnings = [] }: RawReply): boolean =>
  warnings.length >= LISTED_AT_MOST || warnings.some(({ code }) => code === 'category_created');
