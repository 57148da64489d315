/** A JSON Pointer as URI fragment (RFC 6901, sections 3 and 6): `['a/b', 0]` is `#/a~1b/0`. */
export function pointerTo(...tokens: readonly (string | number)[]): string {
  return `#${tokens.map((token) => `/${encodeToken(String(token))}`).join('')}`;
}

/** The fragment form of a plain JSON Pointer. */
export function pointerFromPath(path: string): string {
  return `#${path.split('/').map(percentEncode).join('/')}`;
}

const encodeToken = (token: string) => percentEncode(token.replaceAll('~', '~0').replaceAll('/', '~1'));
const percentEncode = (token: string) => encodeURIComponent(token.toWellFormed());
