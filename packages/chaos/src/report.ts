import type { Figure } from './figures.ts';

export interface Result {
  readonly experiment: string;
  readonly seconds: number;
  readonly figures: readonly Figure[];
}

const header = ['', 'Experiment', 'Promise', 'Measured', 'Target'];

const markOf = ({ isPromise, ok }: Figure): string => (isPromise ? (ok ? 'ok' : 'SHORT') : '');

const rowsOf = (results: readonly Result[]): string[][] =>
  results.flatMap(({ experiment, figures }) =>
    figures.map((figure) =>
      [markOf(figure), experiment, figure.promise, figure.measured, figure.target].map((cell) =>
        cell.replaceAll(/\s+/g, ' '),
      ),
    ),
  );

/** The figures as aligned text. */
export function table(results: readonly Result[]): string {
  const all = [header, ...rowsOf(results)];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The figures as a Markdown table. */
export function markdownTable(results: readonly Result[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rowsOf(results).map(line)].join('\n');
}

/** Seconds per experiment. */
export const durations = (results: readonly Result[]): string =>
  results.map(({ experiment, seconds }) => `${experiment} ${seconds}`).join(', ');

export function countPromises(results: readonly Result[]): { passed: number; failed: number } {
  const promises = results.flatMap(({ figures }) => figures.filter(({ isPromise }) => isPromise));
  const passed = promises.filter(({ ok }) => ok).length;
  return { passed, failed: promises.length - passed };
}
