import { deceptiveInUrl } from '@joblisting/contracts';

const INVALID = 'is not a valid address';
const ABSOLUTE = /^(?:https?:\/\/([^/?#]*)|mailto:)/i;

/** A host has at most 253 characters; reading a far longer one would cost a parser quadratic time. */
const AUTHORITY_MAX = 1024;

/**
 * Why a browser would not read this `href`, its entities decoded, as an absolute http, https or mailto address;
 * undefined if it would (API decisions, "description"). `https:/host` and `https:host` are relative to a page of the
 * same scheme (URL standard, section 4.4), so both slashes are required. The host must come right after them: the
 * standard skips further slashes, and finds user information behind them.
 */
export function hrefFault(href: string): string | undefined {
  if (deceptiveInUrl.test(href))
    return 'holds white space, a control or invisible character, or one of "<>\\^`{|}';
  const absolute = ABSOLUTE.exec(href);
  if (!absolute) return 'is not an absolute http, https or mailto address';
  // An address of mailto has no authority; with `//` it would be read as having one.
  const authority = absolute[1] ?? (href.startsWith('//', absolute[0].length) ? '' : undefined);
  if (authority?.includes('@')) return 'holds user information';
  if (authority === '' || (authority?.length ?? 0) > AUTHORITY_MAX) return INVALID;
  // A parser accepts anything after the authority.
  return URL.canParse(absolute[0]) ? undefined : INVALID;
}
