import { parseFragment } from 'parse5';

/** A name as searches compare it: without case, marks and surplus white space. */
export const searchKey = (name: string): string =>
  name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/gu, ' ').trim();

interface Node {
  readonly value?: string;
  readonly childNodes?: readonly Node[];
}

/** The text of HTML, its pieces apart by a space. Plain text is read as HTML too: its `<` and `>` are entities. */
export function plainTextOf(html: string): string {
  const pieces: string[] = [];
  const collect = ({ value, childNodes = [] }: Node): void => {
    if (value !== undefined) pieces.push(value);
    for (const child of childNodes) collect(child);
  };
  collect(parseFragment(html) as Node);
  return pieces.join(' ').replaceAll(/\s+/gu, ' ').trim();
}
