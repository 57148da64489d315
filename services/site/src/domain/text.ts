/** A name as searches compare it: without case, marks and surplus white space. */
export const searchKey = (name: string): string =>
  name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/gu, ' ').trim();

/** The beginning of a text, ended at a word. */
export function excerpt(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const cut = text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '');
  const end = cut.lastIndexOf(' ');
  return `${end > characters / 2 ? cut.slice(0, end) : cut}…`;
}
