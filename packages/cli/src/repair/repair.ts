import { editOf } from './edit.ts';
import { isRawText, markupOf } from './tokens.ts';
import type { Markup } from './tokens.ts';

interface RepairResult {
  readonly html: string;
  /** The number of changes by label: `h1 → p, strong`. */
  readonly changes: ReadonlyMap<string, number>;
}

/**
 * Replaces the tags and drops the attributes that the API refuses in an html description (spec, "Description content
 * rules"; API decisions, "description"). Text stays unchanged, and so does an acceptable description.
 */
export function repairHtml(source: string): RepairResult {
  const markup = markupOf(source);
  const changes = new Map<string, number>();
  const links: boolean[] = [];
  let html = '';
  let copied = 0;
  for (let index = 0; index < markup.length; index += 1) {
    const piece = markup[index];
    const edit = piece && editOf(piece, source, links);
    if (piece === undefined || edit === undefined) continue;
    const last = edit.wholeElement ? endOfElement(markup, index) : index;
    const to = markup[last]?.to ?? source.length;
    html = escapeTrailingBracket(
      html + source.slice(copied, piece.from),
      edit.replacement || source.charAt(to),
    );
    html += edit.replacement;
    copied = to;
    index = last;
    for (const change of edit.changes) changes.set(change, (changes.get(change) ?? 0) + 1);
  }
  return { html: html + source.slice(copied), changes };
}

/** The index of the matching end tag. Without one, raw text ends with the source, and other elements end at once. */
function endOfElement(markup: readonly Markup[], start: number): number {
  const tag = markup[start]?.tag;
  if (tag === undefined || tag.selfClosing) return start;
  let depth = 0;
  for (let index = start; index < markup.length; index += 1) {
    const piece = markup[index];
    if (piece?.tag?.tagName !== tag.tagName) continue;
    depth += piece.kind === 'end' ? -1 : 1;
    if (depth === 0) return index;
  }
  return isRawText(tag.tagName) ? markup.length : start;
}

/** Escapes a trailing `<` that would form a tag with the text that follows. */
function escapeTrailingBracket(before: string, following: string): string {
  return /[a-z/!?<]/iu.test(following) && /<\/?$/u.test(before.slice(-2))
    ? before.replace(/<(\/?)$/u, '&lt;$1')
    : before;
}
