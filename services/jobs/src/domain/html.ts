import { LISTED_AT_MOST, type Violation } from '@joblisting/contracts';
import { ErrorCodes, Token, Tokenizer, type ParserError, type TokenHandler } from 'parse5';
import { hrefFault } from './href.ts';

const ALLOWED_TAGS = new Set(['strong', 'b', 'em', 'i', 'br', 'p', 'div', 'ul', 'ol', 'li', 'a']);
const LINK_ATTRIBUTES = new Set(['href', 'target']);
const TARGETS = new Set(['_blank', '_self', '_parent', '_top']);

type Place = { readonly startLine: number; readonly startCol: number } | null;
type Report = (code: Violation['code'], what: string, place: Place) => void;

/** How much is read between two looks at the tag under way. */
const CHUNK = 1 << 16;

/** A tag of half a million attributes takes seconds to read to its end: it is judged by its first ones. */
class BoundedTokenizer extends Tokenizer {
  /** The start or end tag under way, once it has more attributes than are ever listed. */
  overloadedTag(): Token.TagToken | undefined {
    const token = this.currentToken;
    return token && 'attrs' in token && token.attrs.length > LISTED_AT_MOST ? token : undefined;
  }
}

/**
 * Everything in an html description that the API does not allow, at most `LISTED_AT_MOST` faults, each with
 * line and column (spec, "Description content rules"; API decisions, "description"). Nothing is repaired.
 *
 * It judges the tokens of a real HTML tokenizer and builds no tree. Each token that could make a browser read
 * what follows differently (script, svg, a comment) is itself refused, so a tree of accepted tokens holds no
 * element beyond them, while building one takes quadratic time for deeply nested tags.
 */
export function htmlViolations(html: string): Violation[] {
  const violations: Violation[] = [];
  const report: Report = (code, what, place) => {
    const where = place ? ` (line ${place.startLine}, column ${place.startCol})` : '';
    violations.push({ pointer: '#/description', code, detail: `${what}${where}.` });
    if (violations.length >= LISTED_AT_MOST) tokenizer.pause();
  };
  const tokenizer = new BoundedTokenizer({ sourceCodeLocationInfo: true }, handler(html, report));
  for (let at = 0; violations.length < LISTED_AT_MOST; at += CHUNK) {
    const last = at + CHUNK >= html.length;
    tokenizer.write(html.slice(at, at + CHUNK), last);
    const overloaded = tokenizer.overloadedTag();
    if (overloaded) checkStartTag(overloaded, report);
    if (last || overloaded) break;
  }
  return violations.slice(0, LISTED_AT_MOST);
}

function handler(html: string, report: Report): TokenHandler {
  const text = (): void => undefined;
  return {
    onStartTag: (tag) => checkStartTag(tag, report),
    onEndTag: (tag) => checkEndTag(tag, report),
    onComment: ({ location }) =>
      report('html_syntax', 'A comment, CDATA section or processing instruction is not allowed', location),
    onDoctype: ({ location }) => report('html_syntax', 'A doctype is not allowed', location),
    onParseError: (error) => checkParseError(error, html, report),
    onCharacter: text,
    onNullCharacter: text,
    onWhitespaceCharacter: text,
    onEof: text,
  };
}

function checkStartTag({ tagName, attrs, location }: Token.TagToken, report: Report): void {
  if (!ALLOWED_TAGS.has(tagName))
    return report('html_tag', `The tag <${short(tagName)}> is not allowed`, location);
  for (const { name, value } of attrs) {
    const place = location?.attrs?.[name] ?? location;
    if (tagName !== 'a' || !LINK_ATTRIBUTES.has(name))
      report('html_attribute', `The attribute "${short(name)}" is not allowed on <${tagName}>`, place);
    else if (name === 'target' && !TARGETS.has(value))
      report('html_attribute', `The target of <a> must be one of ${[...TARGETS].join(', ')}`, place);
    else if (name === 'href') {
      const fault = hrefFault(value);
      if (fault !== undefined) report('html_attribute', `The href of <a> ${fault}`, place);
    }
  }
  if (tagName === 'a' && !attrs.some(({ name }) => name === 'href'))
    report('html_attribute', 'An <a> needs an href', location);
}

function checkEndTag({ tagName, attrs, location }: Token.TagToken, report: Report): void {
  if (!ALLOWED_TAGS.has(tagName)) report('html_tag', `The tag </${short(tagName)}> is not allowed`, location);
  else if (attrs[0])
    report(
      'html_attribute',
      `The attribute "${short(attrs[0].name)}" is not allowed on </${tagName}>`,
      location,
    );
}

/** Faults that leave no token behind: a browser drops what they concern without a word. */
function checkParseError(error: ParserError, html: string, report: Report): void {
  const before = html.slice(Math.max(0, error.startOffset - NAME_MAX), error.startOffset);
  if (error.code === ErrorCodes.duplicateAttribute) {
    const name = /[^\s"'/=>]*$/.exec(before)?.[0] ?? '';
    report('html_attribute', `The attribute "${name}" is there twice`, error);
  } else if (error.code === ErrorCodes.missingEndTagName) {
    report('html_syntax', 'An end tag has no name', error);
  } else if (
    error.code === ErrorCodes.eofInTag ||
    (error.code === ErrorCodes.eofBeforeTagName && before.endsWith('</'))
  ) {
    report('html_syntax', 'A tag is left unfinished at the end', error);
  }
}

const NAME_MAX = 40;
const short = (name: string): string => (name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name);
