import { editOf } from './edit.ts';
import { isRawText, markupOf } from './tokens.ts';
import type { Markup } from './tokens.ts';

export interface Repaired {
  readonly html: string;
  /** How often each kind of change was made, as a reader would call it: `h1 → p, strong`. */
  readonly changes: ReadonlyMap<string, number>;
}

/**
 * Puts allowed tags in the place of those that the API refuses in an html description, and drops the
 * attributes that it refuses (spec, "Description content rules"; API decisions, "description"). All else,
 * text above all, stays character for character: a description without such faults comes back unchanged.
 */
export function repairHtml(source: string): Repaired {
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
    html = joined(html + source.slice(copied, piece.from), edit.replacement || source.charAt(to));
    html += edit.replacement;
    copied = to;
    index = last;
    for (const change of edit.changes) changes.set(change, (changes.get(change) ?? 0) + 1);
  }
  return { html: html + source.slice(copied), changes };
}

/** The index of the matching end tag. Without one, raw text ends with the source, other elements at once. */
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

/** A lone `<` must not make a tag of what moves up behind it. */
function joined(before: string, following: string): string {
  return /[a-z/!?<]/iu.test(following) && /<\/?$/u.test(before.slice(-2))
    ? before.replace(/<(\/?)$/u, '&lt;$1')
    : before;
}
