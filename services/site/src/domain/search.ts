import { jobTypes } from '@joblisting/contracts';
import { placeParts } from './places.ts';
import { searchKey } from './text.ts';

/** What somebody looks for, as it stands in the address of the page. */
export interface Search {
  readonly q?: string;
  readonly where?: string;
  readonly category?: string;
  readonly type?: string;
  readonly employer?: string;
  readonly page: number;
}
export type SearchField = Exclude<keyof Search, 'page'>;

/** A search as the store compares it. */
export interface Criteria {
  readonly words: readonly string[];
  readonly places: readonly string[];
  readonly category?: string;
  readonly typeId?: number;
  readonly employer?: string;
  readonly companyId?: number;
}

export const PAGE_SIZE = 20;
export const LAST_PAGE = 50;
const LONGEST: Readonly<Record<SearchField, number>> = {
  q: 100,
  where: 400,
  category: 260,
  type: 20,
  employer: 260,
};
export const searchFields = Object.keys(LONGEST) as SearchField[];
const labels: Readonly<Record<keyof Search, string>> = {
  q: 'The words',
  where: 'The place',
  category: 'The category',
  type: 'The type',
  employer: 'The employer',
  page: 'The page number',
};

/** Each word reads many entries of the index. */
const MOST_WORDS = 10;
/** In nearly every text, so they tell nothing and cost most. */
const commonWords = new Set('a an and as at by for from in is of on or the to with'.split(' '));

/** Reads a search from a query string, whose empty and unknown parameters do not count; or says what is wrong with it. */
export function readSearch(query: Readonly<Record<string, unknown>>): Search | { readonly problem: string } {
  const fields: Partial<Record<SearchField, string>> = {};
  for (const field of searchFields) {
    const value = query[field] ?? '';
    if (typeof value !== 'string') return { problem: `${labels[field]} may be given only once.` };
    if (value.length > LONGEST[field])
      return { problem: `${labels[field]} may have at most ${LONGEST[field]} characters.` };
    const trimmed = value.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
    if (trimmed !== '') fields[field] = trimmed;
  }
  const page = readPage(query);
  return typeof page === 'number' ? { ...fields, page } : page;
}

/** The number of a page: 1 if there is none. */
export function readPage({ page = '1' }: Readonly<Record<string, unknown>>): number | { problem: string } {
  if (typeof page !== 'string' || !/^[1-9]\d{0,5}$/.test(page))
    return { problem: `${labels.page} must be a whole number from 1 to ${LAST_PAGE}.` };
  if (Number(page) <= LAST_PAGE) return Number(page);
  return { problem: `Only the first ${LAST_PAGE} pages are shown. Narrow the search to see other jobs.` };
}

/** The address of a search, its first page unless `page` says another one. */
export function searchPath(search: Partial<Search>): string {
  const parameters = new URLSearchParams();
  for (const field of searchFields) if (search[field]) parameters.set(field, search[field]);
  if ((search.page ?? 1) > 1) parameters.set('page', String(search.page));
  return parameters.size > 0 ? `/?${parameters.toString()}` : '/';
}

/** Without quotes and signs in front, which the database would read as operators. "C++" and "node.js" stay whole. */
function wordsOf(text: string): string[] {
  // First, because it makes quotes, signs and spaces of their compatibility forms.
  const words = searchKey(text)
    .split(/[\s"'“”‘’„«»()[\]{}<>,;:!?\\/|*~^=]+/u)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+/u, '').replace(/[^\p{L}\p{N}+#]+$/u, ''))
    .filter((word) => word !== '');
  const rare = words.filter((word) => !commonWords.has(word));
  return [...new Set(rare.length > 0 ? rare : words)].slice(0, MOST_WORDS);
}

/** Undefined if no job can match: there is no such type. */
export function criteriaOf({ q = '', where = '', category, type, employer }: Search): Criteria | undefined {
  const typeId = type && jobTypes.find(({ name }) => searchKey(name) === searchKey(type))?.id;
  if (type !== undefined && !typeId) return undefined;
  return {
    words: wordsOf(q),
    places: placeParts(where),
    ...(category !== undefined && { category: searchKey(category) }),
    ...(typeId && { typeId }),
    ...(employer !== undefined && { employer: searchKey(employer) }),
  };
}
