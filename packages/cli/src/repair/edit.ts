import { isCleanLink, repairLink } from './link.ts';
import { isAllowed, isRemovedWhole, replacementOf } from './rules.ts';
import type { Markup } from './tokens.ts';

/** The replacement of one piece of markup, or of an element with its content. */
interface Edit {
  readonly replacement: string;
  readonly changes: readonly string[];
  readonly wholeElement?: true;
}

/**
 * The edit that makes a piece of markup acceptable, or undefined if it is. `openLinks` is the stack of open links: true
 * for those that stay.
 */
export function editOf(piece: Markup, source: string, openLinks: boolean[]): Edit | undefined {
  const { kind, tag } = piece;
  if (tag === undefined) return editOfOther(piece, source);
  if (kind === 'start' && isRemovedWhole(tag.tagName))
    return { replacement: '', changes: [`${tag.tagName} → removed with its content`], wholeElement: true };
  if (!isAllowed(tag.tagName)) {
    const { start, end, label } = replacementOf(tag.tagName);
    return kind === 'start'
      ? { replacement: start, changes: [`${tag.tagName} → ${label}`] }
      : { replacement: end, changes: [] };
  }
  if (tag.tagName === 'a')
    return kind === 'start' ? editOfLink(piece, openLinks) : editOfLinkEnd(piece, openLinks);
  return withoutAttributes(piece);
}

function editOfOther({ kind, from }: Markup, source: string): Edit {
  if (kind === 'unfinished')
    return { replacement: source.slice(from).replaceAll('<', '&lt;'), changes: ['unfinished tag → text'] };
  return { replacement: '', changes: [kind === 'comment' ? 'comment → removed' : '</> → removed'] };
}

function editOfLink({ tag, repeatsAttribute }: Markup, openLinks: boolean[]): Edit | undefined {
  if (tag === undefined) return undefined;
  const repaired = repairLink(tag);
  openLinks.push(repaired !== undefined);
  if (repaired === undefined) return { replacement: '', changes: ['a without a usable href → unwrapped'] };
  if (isCleanLink(tag) && repeatsAttribute !== true) return undefined;
  const changes = repaired.dropped.map((name) => `${name} of a → dropped`);
  return {
    replacement: repaired.tag,
    changes: changes.length > 0 ? changes : ['href of a → trimmed, repeated attributes → dropped'],
  };
}

/** Removes the end tag of a removed start tag. */
function editOfLinkEnd(piece: Markup, openLinks: boolean[]): Edit | undefined {
  return openLinks.pop() === false ? { replacement: '', changes: [] } : withoutAttributes(piece);
}

function withoutAttributes({ kind, tag }: Markup): Edit | undefined {
  if (tag === undefined || tag.attrs.length === 0) return undefined;
  return {
    replacement: kind === 'start' ? `<${tag.tagName}>` : `</${tag.tagName}>`,
    changes: tag.attrs.map(({ name }) => `${name} of ${tag.tagName} → dropped`),
  };
}
