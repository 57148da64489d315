import { deceptiveInUrl } from '@joblisting/contracts';
import { escapeAttribute } from 'entities';
import type { Token } from 'parse5';

const TARGETS = new Set(['_blank', '_self', '_parent', '_top']);

/** An acceptable start tag of a link, and the names of its dropped attributes. */
interface LinkRepair {
  readonly tag: string;
  readonly dropped: readonly string[];
}

/** Returns undefined without a usable `href`: only the text of the link can stay. */
export function repairLink(token: Token.TagToken): LinkRepair | undefined {
  const href = token.attrs.find(({ name }) => name === 'href')?.value.trim();
  if (href === undefined || !isUsableHref(href)) return undefined;
  const target = token.attrs.find(({ name, value }) => name === 'target' && TARGETS.has(value));
  const dropped = token.attrs.filter((attr) => attr.name !== 'href' && attr !== target);
  return {
    tag: `<a href="${escapeAttribute(href)}"${target === undefined ? '' : ` target="${target.value}"`}>`,
    dropped: dropped.map(({ name }) => name),
  };
}

/** True if the only attributes are a usable `href` and an allowed `target`. */
export function isCleanLink(token: Token.TagToken): boolean {
  const href = token.attrs.find(({ name }) => name === 'href')?.value;
  return (
    href !== undefined &&
    isUsableHref(href) &&
    token.attrs.every(({ name, value }) => name === 'href' || (name === 'target' && TARGETS.has(value)))
  );
}

/**
 * True for an absolute http, https or mailto URL without user information or deceptive characters. `https:host` is
 * relative to a page of the same scheme (URL standard, section 4.4).
 */
function isUsableHref(href: string): boolean {
  if (deceptiveInUrl.test(href) || !URL.canParse(href)) return false;
  const authority = /^https?:\/\/([^/?#]*)/iu.exec(href)?.[1];
  return authority === undefined ? /^mailto:/iu.test(href) : !authority.includes('@');
}
