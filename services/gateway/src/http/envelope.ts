import { type CursorPaging, LISTED_AT_MOST, type Paging, type Warning } from '@joblisting/contracts';
import { formatQuery, type QueryEntry } from './query.ts';

/** The paging object of a list (spec, "Paging object"). */
export interface PagingWithLinks extends Paging {
  readonly previous: string | null;
  readonly next: string | null;
}

const SMALL_BYTES = 64 * 1024;

/**
 * Puts the envelope around serialised data; none is null (spec, "General conventions" 4 to 6). Small answers are text,
 * which node sends together with the headers; large ones stay bytes, to keep them off the heap.
 */
export function envelope(
  data: Uint8Array,
  warnings: readonly Warning[],
  paging?: PagingWithLinks | CursorPaging,
): string | Buffer {
  const open = paging ? `{"paging":${JSON.stringify(paging)},"data":` : '{"data":';
  const close = `,"warnings":${JSON.stringify(warnings.slice(0, LISTED_AT_MOST))}}`;
  if (data.length === 0) return `${open}null${close}`;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return bytes.length > SMALL_BYTES
    ? Buffer.concat([Buffer.from(open), bytes, Buffer.from(close)])
    : open + bytes.toString() + close;
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
