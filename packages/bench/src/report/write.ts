import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMet } from '../measure/goals.ts';
import type { Result } from '../measure/result.ts';
import type { Sweep } from '../sweep/sweep.ts';
import { goalHeader, goalRows, noteHeader, noteRows, variantHeader, variantRows } from './rows.ts';
import { cellHeader, cellRows, storageHeader, storageRows } from './sweep.ts';
import { markdownTable } from './table.ts';

type Table = readonly [header: readonly string[], rows: readonly (readonly string[])[]];

/** The report of a run: tables, and all data. */
export interface Report {
  readonly name: string;
  readonly text: string;
  readonly data: object;
}

const textOf = (tables: readonly Table[]): string =>
  tables
    .filter(([, rows]) => rows.length > 0)
    .map(([header, rows]) => markdownTable(header, rows))
    .join('\n\n');

export function benchReport(results: readonly Result[], about: object): Report {
  const goals = results.flatMap((result) => result.goals);
  const met = goals.filter(isMet).length;
  const tables = textOf([
    [variantHeader, variantRows(results)],
    [goalHeader, goalRows(results)],
    [noteHeader, noteRows(results)],
  ]);
  const text = `${tables}\n\nGoals: ${met} met, ${goals.length - met} not met`;
  return { name: 'bench', text, data: { ...about, results } };
}

export function sweepReport(sweep: Sweep, about: object): Report {
  const text = textOf([
    [cellHeader, cellRows(sweep.cells)],
    [storageHeader, storageRows(sweep.storage)],
  ]);
  return { name: 'sweep', text, data: { ...about, ...sweep } };
}

/** Writes `<name>.md` and `<name>.json`. */
export async function writeReport(directory: string, { name, text, data }: Report): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${name}.md`), `${text}\n`);
  await writeFile(join(directory, `${name}.json`), `${JSON.stringify(data, undefined, 2)}\n`);
}
