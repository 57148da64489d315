import { ErrorCodes, type Token, Tokenizer, TokenizerMode } from 'parse5';

/** A piece of HTML that is not text, with its offsets in the source. */
export interface Markup {
  readonly kind: 'start' | 'end' | 'comment' | 'nameless' | 'unfinished';
  readonly from: number;
  readonly to: number;
  readonly tag?: Token.TagToken;
  /** The start tag repeats an attribute; `tag` has only the first one. */
  readonly repeatsAttribute?: boolean;
}

const RAW_TEXT: ReadonlyMap<string, Tokenizer['state']> = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['textarea', TokenizerMode.RCDATA],
  ['title', TokenizerMode.RCDATA],
]);

/** True for elements whose content is text only. */
export function isRawText(tagName: string): boolean {
  return RAW_TEXT.has(tagName);
}

/** All markup of the source in order. Everything between two pieces is text. */
export function markupOf(source: string): Markup[] {
  const markup: Markup[] = [];
  let covered = 0;
  let repeatsAttribute = false;
  const cover = (token: Token.Token): { from: number; to: number } => {
    const from = token.location?.startOffset ?? covered;
    const to = token.location?.endOffset ?? covered;
    covered = to;
    return { from, to };
  };
  const text = (token: Token.Token): void => void cover(token);
  const comment = (token: Token.Token): void => void markup.push({ kind: 'comment', ...cover(token) });
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (tag) => {
        markup.push({ kind: 'start', ...cover(tag), tag, repeatsAttribute });
        repeatsAttribute = false;
        tokenizer.state = RAW_TEXT.get(tag.tagName) ?? tokenizer.state;
      },
      onEndTag: (tag) => {
        markup.push({ kind: 'end', ...cover(tag), tag });
        repeatsAttribute = false;
      },
      onComment: comment,
      onDoctype: comment,
      onCharacter: text,
      onNullCharacter: text,
      onWhitespaceCharacter: text,
      onEof: () => {
        if (covered < source.length) markup.push({ kind: 'unfinished', from: covered, to: source.length });
      },
      onParseError: ({ code, startOffset }) => {
        if (code === ErrorCodes.duplicateAttribute) repeatsAttribute = true;
        if (code === ErrorCodes.missingEndTagName)
          markup.push({ kind: 'nameless', from: startOffset - 2, to: startOffset + 1 });
        if (code === ErrorCodes.eofBeforeTagName && source.endsWith('</'))
          markup.push({ kind: 'unfinished', from: source.length - 2, to: source.length });
      },
    },
  );
  tokenizer.write(source, true);
  return markup;
}
