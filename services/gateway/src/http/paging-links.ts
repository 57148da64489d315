import type { Paging } from '@joblisting/contracts';
import { formatQuery, type QueryEntry } from './query.ts';

/** The paging object of a list (spec, "Paging object"). */
export interface PagingWithLinks extends Paging {
  readonly previous: string | null;
  readonly next: string | null;
}

/**
 * Adds the addresses of the neighbours, which keep the request's other parameters. Past the end, `previous` is
 * the last page (API decisions, "Paging").
 * @param address of the list, without a query.
 */
export function withLinks(paging: Paging, address: string, query: readonly QueryEntry[]): PagingWithLinks {
  const { total, pageSize, page, pages } = paging;
  const previous = Math.min(page - 1, pages);
  return {
    total,
    pageSize,
    page,
    pages,
    previous: previous >= 1 ? `${address}?${formatQuery(atPage(query, previous))}` : null,
    next: page < pages ? `${address}?${formatQuery(atPage(query, page + 1))}` : null,
  };
}

function atPage(query: readonly QueryEntry[], page: number): QueryEntry[] {
  const entry = { name: 'page', value: String(page) };
  const at = query.findIndex(({ name }) => name === 'page');
  return at < 0 ? [...query, entry] : query.with(at, entry);
}
