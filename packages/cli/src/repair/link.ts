import { escapeAttribute } from 'entities';
import type { Token } from 'parse5';

const TARGETS = new Set(['_blank', '_self', '_parent', '_top']);
const SCHEMES = new Set(['http:', 'https:', 'mailto:']);
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const UNSAFE = /[\s\\\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The start tag of a link in the form that the API takes, and what had to go from it. */
export interface LinkRepair {
  readonly tag: string;
  readonly dropped: readonly string[];
}

/** Undefined for a link that leads nowhere by the API's rules: only its text can stay. */
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

/** True for a link that has nothing but a usable `href` and an allowed `target`. */
export function isCleanLink(token: Token.TagToken): boolean {
  const href = token.attrs.find(({ name }) => name === 'href')?.value;
  return (
    href !== undefined &&
    isUsableHref(href) &&
    token.attrs.every(({ name, value }) => name === 'href' || (name === 'target' && TARGETS.has(value)))
  );
}

/** An absolute http, https or mailto URL without white space, control characters or user information. */
function isUsableHref(href: string): boolean {
  if (UNSAFE.test(href)) return false;
  const url = URL.parse(href);
  return url !== null && SCHEMES.has(url.protocol) && url.username === '' && url.password === '';
}
