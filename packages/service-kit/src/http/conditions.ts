const ONE_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?=[ \t]*(?:,|$))/y;
const SEPARATOR = /[ \t]*(?:,[ \t]*)*/y;

/** Whether If-None-Match matches the tag: a list or `*`, compared weakly (RFC 9110, section 13.1.2). */
export function noneMatchHits(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return parseTags(header)?.some((sent) => sent.replace(/^W\//, '') === tag) ?? false;
}

/** The entity tags of a list, or undefined if it is malformed. */
export function parseTags(header: string): string[] | undefined {
  const text = header.trim();
  const tags: string[] = [];
  let at = skip(SEPARATOR, text, 0);
  while (at < text.length) {
    const end = skip(ONE_TAG, text, at);
    if (end === at) return undefined;
    tags.push(text.slice(at, end));
    at = skip(SEPARATOR, text, end);
  }
  return tags;
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

const ACCEPTS_GZIP = /(?:^|,)\s*gzip\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:$|,)))/i;

/** Whether Accept-Encoding names gzip, other than to refuse it. */
export const acceptsGzip = (header: string | undefined): boolean => ACCEPTS_GZIP.test(header ?? '');
