/** A request target in origin form: an absolute one loses its origin (RFC 9112, section 3.2.2). */
export const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const url = originForm(target);
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
