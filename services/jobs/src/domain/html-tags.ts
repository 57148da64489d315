import { LISTED_AT_MOST } from '@joblisting/contracts';
import { type Token, Tokenizer, type TokenHandler } from 'parse5';
import type { Balance } from './html-balance.ts';

export const ALLOWED_TAGS: ReadonlySet<string> = new Set([
  'strong',
  'b',
  'em',
  'i',
  'br',
  'p',
  'div',
  'ul',
  'ol',
  'li',
  'a',
]);

const withoutLink = [...ALLOWED_TAGS].filter((name) => name !== 'a').join('|');

/** A tag that needs no check: an allowed one without attributes, except a start tag of `a`. */
const PLAIN_TAG = new RegExp(String.raw`<(?:/(a|${withoutLink})|(${withoutLink}))[\t\n\f\r ]*/?>`, 'iy');

/** What makes a `<` more than text (HTML standard, "Tag open state"). */
const OPENS_MARKUP = /[a-z/!?]/i;

/**
 * The offset of the next markup that needs the tokenizer. Regular expressions skip text and plain tags, because they
 * are faster. Returns `until` or more if there is none before. `from` must be outside of any tag.
 */
export function nextMarkup(html: string, from: number, until: number, balance: Balance): number {
  let at = from;
  while (at < until) {
    const open = html.indexOf('<', at);
    if (open === -1) return html.length;
    PLAIN_TAG.lastIndex = open;
    if (!OPENS_MARKUP.test(html.charAt(open + 1))) {
      at = open + 1;
      continue;
    }
    const [, end, start] = PLAIN_TAG.exec(html) ?? [];
    if (start !== undefined) balance.onStartTag(start.toLowerCase());
    else if (end !== undefined) balance.onEndTag(end.toLowerCase());
    else return open;
    at = PLAIN_TAG.lastIndex;
  }
  return at;
}

/**
 * Characters between two checks of the current tag. The tokenizer compares each attribute with all before it, so a tag
 * with very many must be stopped early.
 */
const CHUNK = 1 << 14;

/** A tokenizer that stops after one token. A tag of half a million attributes takes seconds to read to its end. */
class OneToken extends Tokenizer {
  /** True once the token is read, or has enough faults. */
  hasStopped(): boolean {
    return this.paused;
  }

  /** The current tag, once it has more attributes than an answer lists, or a name longer than any allowed one. */
  overloadedTag(): Token.TagToken | undefined {
    const token = this.currentToken;
    if (!token || !('attrs' in token)) return undefined;
    return token.attrs.length > LISTED_AT_MOST || token.tagName.length >= CHUNK - 2 ? token : undefined;
  }
}

/** Where the token ends, or a tag that is refused before its end. */
export type ReadResult = { readonly end: number } | { readonly overloaded: Token.TagToken };

/** Handlers of tokens and errors. */
export type MarkupListener = Pick<
  TokenHandler,
  'onStartTag' | 'onEndTag' | 'onComment' | 'onDoctype' | 'onParseError'
>;

/**
 * Reads the markup at `from` with a real HTML tokenizer, up to the end of its first token; yields between chunks.
 * Locations that `listener` gets count from `from`. Stops early once `enough` returns true.
 */
export function* readMarkup(
  html: string,
  from: number,
  listener: MarkupListener,
  enough: () => boolean,
): Generator<undefined, ReadResult> {
  let end = html.length;
  const stop = (token: { location: Token.LocationWithAttributes | Token.Location | null }) => {
    end = from + (token.location?.endOffset ?? 0);
    tokenizer.pause();
  };
  const text = (): void => undefined;
  const tokenizer = new OneToken(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (token) => (stop(token), listener.onStartTag(token)),
      onEndTag: (token) => (stop(token), listener.onEndTag(token)),
      onComment: (token) => (stop(token), listener.onComment(token)),
      onDoctype: (token) => (stop(token), listener.onDoctype(token)),
      onParseError: (error) => {
        listener.onParseError?.(error);
        if (enough()) tokenizer.pause();
      },
      onCharacter: text,
      onNullCharacter: text,
      onWhitespaceCharacter: text,
      onEof: text,
    },
  );
  for (let at = from; ; at += CHUNK) {
    const last = at + CHUNK >= html.length;
    tokenizer.write(html.slice(at, at + CHUNK), last);
    if (tokenizer.hasStopped() || last) return { end };
    const overloaded = tokenizer.overloadedTag();
    if (overloaded) return { overloaded };
    yield undefined;
  }
}
