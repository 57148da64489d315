import { Tokenizer, type TokenHandler } from 'parse5';

/** Blocks within blocks; deeper ones are shown as if they were not there. */
const DEEPEST = 20;
const blockNames: ReadonlySet<string> = new Set(['p', 'div', 'ul', 'ol', 'li']);
const inlineNames: ReadonlySet<string> = new Set(['strong', 'b', 'em', 'i', 'a']);
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const WEB = /^https?:\/\//i;
const REL = ' rel="nofollow noopener noreferrer ugc"';

const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');
const isList = (name: string | undefined): boolean => name === 'ul' || name === 'ol';

/** Reads tokens one by one, for building a tree takes quadratic time for deeply nested tags. */
function readTokens(html: string, handler: Pick<TokenHandler, 'onCharacter' | 'onStartTag' | 'onEndTag'>) {
  const ignore = (): void => undefined;
  const { onCharacter } = handler;
  const all = {
    ...handler,
    onWhitespaceCharacter: onCharacter,
    onNullCharacter: ignore,
    onComment: ignore,
    onDoctype: ignore,
    onEof: ignore,
  };
  new Tokenizer({ sourceCodeLocationInfo: false }, all).write(html, true);
}

/** The text of HTML in one line. Plain text is read as HTML too: its `<` and `>` are entities. */
export function plainTextOf(html: string): string {
  const pieces: string[] = [];
  const separate = (name: string, separator = ' '): void => {
    if (!inlineNames.has(name)) pieces.push(separator);
  };
  readTokens(html, {
    onCharacter: ({ chars }) => void pieces.push(chars),
    onStartTag: ({ tagName }) => separate(tagName, tagName === 'li' ? ' • ' : ' '),
    onEndTag: ({ tagName }) => separate(tagName),
  });
  return pieces.join('').replaceAll(/\s+/gu, ' ').trim();
}

/**
 * A description as a page shows it: only tags of the short list, each one closed and where HTML allows it, so that no
 * description changes the page around it. Links to other sites give them no credit and no address of ours.
 */
export function safeMarkup(html: string): string {
  /** Joined at the end: a string made by many additions takes many times its size in memory. */
  const out: string[] = [];
  const blocks: string[] = [];
  /** Open by the description; `shown` of them, the outermost first, are open in `out` too. */
  const inlines: { readonly name: string; readonly tag: string }[] = [];
  let shown = 0;

  const hideInlines = (from = 0): void => {
    for (; shown > from; shown--) out.push(`</${inlines[shown - 1]?.name}>`);
  };
  const openBlock = (name: string): void => {
    hideInlines();
    blocks.push(name);
    out.push(`<${name}>`);
  };
  const closeBlock = (): void => {
    hideInlines();
    out.push(`</${blocks.pop()}>`);
  };
  const closeThrough = (at: number): void => {
    while (at >= 0 && blocks.length > at) closeBlock();
  };
  /** What is no item of a list, directly in a list, gets an item of its own. */
  const beInItem = (): void => {
    if (isList(blocks.at(-1))) openBlock('li');
  };
  const startBlock = (name: string): void => {
    if (blocks.at(-1) === 'p') closeBlock();
    const list = blocks.findLastIndex(isList);
    if (name === 'li') closeThrough(blocks.findIndex((block, at) => at > list && block === 'li'));
    else beInItem();
    if (blocks.length < DEEPEST) openBlock(name === 'li' && !isList(blocks.at(-1)) ? 'p' : name);
  };
  const endInline = (at: number): void => {
    if (at < 0) return;
    hideInlines(Math.min(at, shown));
    inlines.splice(at, 1);
  };
  const inlineAt = (name: string): number => inlines.findIndex((each) => each.name === name);

  readTokens(html, {
    onCharacter: ({ chars }) => {
      if (chars.trim() === '') {
        if (!isList(blocks.at(-1))) out.push(chars);
        return;
      }
      beInItem();
      for (; shown < inlines.length; shown++) out.push(inlines[shown]?.tag ?? '');
      out.push(escape(chars));
    },
    onStartTag: ({ tagName, attrs }) => {
      if (tagName === 'br' && !isList(blocks.at(-1))) out.push('<br>');
      else if (blockNames.has(tagName)) startBlock(tagName);
      else if (inlineNames.has(tagName)) {
        if (tagName !== 'a') {
          if (inlineAt(tagName) < 0) inlines.push({ name: tagName, tag: `<${tagName}>` });
          return;
        }
        endInline(inlineAt('a'));
        const href = attrs.find(({ name }) => name === 'href')?.value ?? '';
        if (!WEB.test(href) && !/^mailto:/i.test(href)) return;
        inlines.push({ name: 'a', tag: `<a href="${escape(href)}"${WEB.test(href) ? REL : ''}>` });
      }
    },
    onEndTag: ({ tagName }) => {
      if (inlineNames.has(tagName)) endInline(inlineAt(tagName));
      else if (tagName === 'li') {
        const list = blocks.findLastIndex(isList);
        closeThrough(blocks.findIndex((block, at) => at > list && block === (list < 0 ? 'p' : 'li')));
      } else if (blockNames.has(tagName)) closeThrough(blocks.lastIndexOf(tagName));
    },
  });
  closeThrough(0);
  hideInlines();
  return out.join('');
}
