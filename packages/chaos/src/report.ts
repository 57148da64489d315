import type { Figure } from './experiment.ts';

export interface Result {
  readonly experiment: string;
  readonly seconds: number;
  readonly figures: readonly Figure[];
}

/** The figures as a table for people, a line each. */
export function table(results: readonly Result[]): string {
  const rows = results.flatMap(({ experiment, figures }) =>
    figures.map(({ ok, promise, measured, target }) => [
      ok ? 'ok' : 'SHORT',
      experiment,
      promise,
      measured,
      target,
    ]),
  );
  const all = [['', 'Experiment', 'Promise', 'Measured', 'Target'], ...rows];
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

export const isKept = (results: readonly Result[]): boolean =>
  results.every(({ figures }) => figures.every(({ ok }) => ok));
