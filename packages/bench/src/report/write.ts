import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMet } from '../measure/goals.ts';
import type { Result } from '../measure/result.ts';
import type { Sweep } from '../sweep/sweep.ts';
import { variantHeader, variantRows, goalHeader, goalRows, noteHeader, noteRows } from './rows.ts';
import { cellHeader, cellRows, storageHeader, storageRows } from './sweep.ts';
import { markdownTable, table } from './table.ts';

type Table = readonly [header: readonly string[], rows: readonly (readonly string[])[]];

/** What a run leaves: tables for people, the same in Markdown, and files by name. */
export interface Report {
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
}

function reportOf(name: string, tables: readonly Table[], data: object): Report {
  const filled = tables.filter(([, rows]) => rows.length > 0);
  return {
    text: filled.map(([header, rows]) => table(header, rows)).join('\n\n'),
    files: {
      [`${name}.json`]: `${JSON.stringify(data, undefined, 2)}\n`,
      [`${name}.md`]: `${filled.map(([header, rows]) => markdownTable(header, rows)).join('\n\n')}\n`,
    },
  };
}

export function benchReport(results: readonly Result[], about: object): Report {
  const goals = results.flatMap((result) => result.goals);
  const met = goals.filter(isMet).length;
  const tables: Table[] = [
    [variantHeader, variantRows(results)],
    [goalHeader, goalRows(results)],
    [noteHeader, noteRows(results)],
  ];
  const report = reportOf('bench', tables, { ...about, results });
  return { ...report, text: `${report.text}\n\nGoals: ${met} met, ${goals.length - met} not met` };
}

export function sweepReport(found: Sweep, about: object): Report {
  const tables: Table[] = [
    [cellHeader, cellRows(found.cells)],
    [storageHeader, storageRows(found.storage)],
  ];
  return reportOf('sweep', tables, { ...about, ...found });
}

export async function writeReport(directory: string, { files }: Report): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
}
