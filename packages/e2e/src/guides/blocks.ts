/** A fenced block of a guide. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a Markdown text that name a language, in order. */
export function blocksOf(markdown: string): Block[] {
  const fences = markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...fences].map(([, language = '', text = '']) => ({ language, text }));
}

/** The blocks of one language as one program that prints `mark` and a number before each. */
export function programOf(blocks: readonly Block[], print: (mark: string) => string): string {
  return blocks.map(({ text }, index) => `${print(markOf(index))}\n${text}`).join('\n');
}

/** What each block of such a program has printed. */
export function outputsOf(output: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const start = output.indexOf(markOf(index));
    const end = output.indexOf(markOf(index + 1));
    if (start === -1) throw new Error(`Block ${index} did not run:\n${output}`);
    return output.slice(start + markOf(index).length, end === -1 ? undefined : end);
  });
}

const markOf = (index: number): string => `--- block ${index} ---`;

/** Each answer that the guide shows, with the number of the block before it in this language that prints it. */
export function shownAnswers(blocks: readonly Block[], language: string): { block: number; shown: Block }[] {
  const answers: { block: number; shown: Block }[] = [];
  let block = -1;
  for (const each of blocks) {
    if (each.language === language) block++;
    if (each.language === 'json' || each.language === 'text') answers.push({ block, shown: each });
  }
  return answers;
}
