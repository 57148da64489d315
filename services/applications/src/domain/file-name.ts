const NAME_MAX = 255;
/** Control characters, and characters that change the direction of text: a name could hide its extension. */
const FORBIDDEN = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** The last part of a name that may hold a path of either system. */
export const baseName = (name: string): string => name.split(/[/\\]/).at(-1)?.trim() ?? '';

/** What is wrong with the name of a file, after `baseName`; undefined for a good one. */
export function faultOfName(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'A file has a name.';
  if ([...name].length > NAME_MAX) return `A file name has at most ${NAME_MAX} characters.`;
  return FORBIDDEN.test(name) ? 'A file name has no control or bidirectional characters.' : undefined;
}
