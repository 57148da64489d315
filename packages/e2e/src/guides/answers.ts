import type { Block } from './blocks.ts';

/** Texts that are the same in every run; others may name another company or id. */
const FIXED = new Set(['code', 'pointer', 'parameter', 'title', 'detail', 'state', 'type', 'referenceId']);

/** What of a shown answer was not printed: each place where it differs from the most similar one. */
export function missingFrom(output: string, { language, text }: Block): string[] {
  if (language === 'text') {
    const printed = linesOf(output);
    return linesOf(text).filter((line) => !printed.includes(line));
  }
  const shown: unknown = JSON.parse(text);
  const [closest] = answersIn(output)
    .map((answer) => differences(shown, answer, ''))
    .toSorted((one, other) => one.length - other.length);
  return closest ?? ['nothing was printed'];
}

/** Whether an error was printed. */
export const printsError = (output: string): boolean =>
  answersIn(output).some((answer) => (answer as { data?: unknown }).data === null);

/** The JSON objects of the output, one a line. */
function answersIn(output: string): unknown[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as unknown);
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => withoutNumbers(line.trim()))
    .filter((line) => line !== '');

const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, '0');

/** Shown answers may leave properties out. Where null is shown, there may be a value by now. */
function differences(shown: unknown, actual: unknown, at: string): string[] {
  if (shown === null) return [];
  if (typeof shown !== typeof actual || actual === null) return [`${at} is ${JSON.stringify(actual)}`];
  if (typeof shown === 'object') {
    const values = actual as Record<string, unknown>;
    return Object.entries(shown).flatMap(([key, value]) => differences(value, values[key], `${at}/${key}`));
  }
  const isFixed = FIXED.has(at.slice(at.lastIndexOf('/') + 1));
  const [said, got] = [JSON.stringify(shown), JSON.stringify(actual)];
  return isFixed && withoutNumbers(said) !== withoutNumbers(got) ? [`${at} is ${got}`] : [];
}
