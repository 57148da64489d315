import { LISTED_AT_MOST, type Violation } from '@joblisting/contracts';
import { ErrorCodes, type ParserError, type Token } from 'parse5';
import { hrefFault } from './href.ts';
import { type Balance, trackBalance } from './html-balance.ts';
import { ALLOWED_TAGS, type MarkupListener, nextMarkup, readMarkup } from './html-tags.ts';
import { type Position, positionsIn } from './positions.ts';

const LINK_ATTRIBUTES = new Set(['href', 'target']);
const TARGETS = new Set(['_blank', '_self', '_parent', '_top']);

type TokenLocation = { readonly startLine: number; readonly startCol: number } | null;
type Report = (code: Violation['code'], what: string, where: TokenLocation) => void;

/** How many characters are judged without a break: some milliseconds of work. */
export const HTML_SLICE = 1 << 13;

export interface HtmlVerdict {
  /** Everything that the API does not allow, at most one fault more than is listed, each with line and column. */
  readonly violations: readonly Violation[];
  /** What `html_unbalanced` warns about. Ignore it if there are violations. */
  readonly imbalance: string | undefined;
}

/**
 * Judges an html description (spec, "Description content rules"; API decisions, "description"). Nothing is repaired.
 *
 * It judges the tokens of a real HTML tokenizer and builds no tree. Each token that could make a browser read
 * what follows differently (script, svg, a comment) is itself refused, so a tree of accepted tokens holds no
 * element beyond them, while building one takes quadratic time for deeply nested tags.
 */
export function htmlVerdict(html: string): HtmlVerdict {
  const slices = judgeInSlices(html);
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
  }
}

/** {@link htmlVerdict} with a break after every {@link HTML_SLICE} characters or so. */
export function* judgeInSlices(html: string): Generator<undefined, HtmlVerdict> {
  const violations: Violation[] = [];
  const balance = trackBalance();
  const enough = () => violations.length > LISTED_AT_MOST;
  const positionOf = positionsIn(html);
  let at = 0;
  const report: Report = (code, what, where) => {
    if (enough()) return;
    const place = where ? ` (${absolute(positionOf(at), where)})` : '';
    violations.push({ pointer: '#/description', code, detail: `${what}${place}.` });
  };
  const listener = handlerOf(report, balance, () => at, html);
  for (let until = HTML_SLICE; !enough();) {
    at = nextMarkup(html, at, Math.min(until, html.length), balance);
    if (at >= html.length) break;
    if (at >= until) {
      yield undefined;
      until = at + HTML_SLICE;
      continue;
    }
    const read = yield* readMarkup(html, at, listener, enough);
    if ('overloaded' in read) {
      checkStartTag(read.overloaded, report);
      break;
    }
    at = read.end;
  }
  return { violations, imbalance: balance.fault() };
}

/**
 * The position in the whole text of a location in the part that the tokenizer reads. The part's first line starts in
 * the middle of a line, so its columns are shifted.
 */
const absolute = ({ line, column }: Position, { startLine, startCol }: NonNullable<TokenLocation>): string =>
  `line ${line + startLine - 1}, column ${startLine === 1 ? column + startCol - 1 : startCol}`;

const handlerOf = (report: Report, balance: Balance, start: () => number, html: string): MarkupListener => ({
  onStartTag: (tag) => {
    balance.onStartTag(tag.tagName);
    checkStartTag(tag, report);
  },
  onEndTag: (tag) => {
    balance.onEndTag(tag.tagName);
    checkEndTag(tag, report);
  },
  onComment: ({ location }) =>
    report('html_syntax', 'A comment, CDATA section or processing instruction is not allowed', location),
  onDoctype: ({ location }) => report('html_syntax', 'A doctype is not allowed', location),
  onParseError: (error) => checkParseError(error, html, start() + error.startOffset, report),
});

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

/** Faults without a token: a browser silently drops the text that causes them. */
function checkParseError(error: ParserError, html: string, offset: number, report: Report): void {
  const before = html.slice(Math.max(0, offset - NAME_MAX), offset);
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
