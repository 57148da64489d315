/** White space, controls and direction marks: what hides where a link really leads. And a backslash. */
const HIDING = /[\s\p{Cc}\p{Bidi_Control}\\]/u;
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
const MAILTO = /^mailto:/i;

/** A host has at most 253 characters; reading a far longer one would cost a parser quadratic time. */
const AUTHORITY_MAX = 1024;

/**
 * Why a browser would not read this `href`, its entities decoded, as an absolute http, https or mailto address;
 * undefined when it would (API decisions, "description"). `https:/host` and `https:host` are relative to a page
 * of the same scheme (URL standard, section 4.4), so the two slashes are asked for literally.
 */
export function hrefFault(href: string): string | undefined {
  if (HIDING.test(href)) return 'holds white space, a control or bidirectional character, or a backslash';
  if (MAILTO.test(href)) return URL.canParse(href) ? undefined : 'is not a valid address';
  const authority = ABSOLUTE.exec(href)?.[1];
  if (authority === undefined) return 'is not an absolute http, https or mailto address';
  if (authority.includes('@')) return 'holds user information';
  return authority.length <= AUTHORITY_MAX && URL.canParse(href) ? undefined : 'is not a valid address';
}
