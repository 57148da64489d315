import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { SourceRecord } from '../input/records.ts';
import { property } from '../values.ts';
import { UsageError } from '../terminal.ts';
import type { PreparedPosting } from './prepare.ts';
import type { Refusal } from './refusal.ts';

/** A file of JSON lines, created with its first line. Opening it deletes the file of an earlier run. */
interface LinesFile {
  readonly append: (line: object) => void;
  /** The path, or undefined without a line. */
  readonly path: () => string | undefined;
}

export interface Reports {
  readonly refused: LinesFile;
  readonly repaired: LinesFile;
}

/** Opens the reports of an import. Throws `UsageError` if they cannot be written, before anything is imported. */
export function openReports(file: string, flags: { refused?: string; repaired?: string }): Reports {
  const name = nameWithoutEndings(file);
  const refused = flags.refused ?? `${name}.refused.ndjson`;
  const repaired = flags.repaired ?? `${name}.repaired.ndjson`;
  if ([refused, repaired].some((path) => resolve(path) === resolve(file)))
    throw new UsageError(`A report would overwrite ${file}. Give another --refused or --repaired.`);
  if (resolve(refused) === resolve(repaired))
    throw new UsageError(`--refused and --repaired are both ${refused}. Give different files.`);
  return { refused: linesFile(refused), repaired: linesFile(repaired) };
}

function linesFile(path: string): LinesFile {
  try {
    writeFileSync(path, '');
    rmSync(path);
  } catch (cause) {
    throw new UsageError(`Cannot write the report ${path}: ${String(property(cause, 'message'))}`, {
      cause,
    });
  }
  let isUsed = false;
  return {
    append: (line) => {
      isUsed = true;
      appendFileSync(path, `${JSON.stringify(line)}\n`);
    },
    path: () => (isUsed ? path : undefined),
  };
}

/** `jobpostings.ndjson.gz` → `jobpostings`. */
function nameWithoutEndings(path: string): string {
  return basename(path).replace(/(\.(gz|ndjson|jsonl|json))+$/iu, '');
}

/** A line of the refused file: position, reason and posting. */
export function refusedLine(record: SourceRecord, referenceId: string | undefined, refusal: Refusal): object {
  const { line } = record;
  const source = 'malformed' in record ? { text: record.text } : { posting: record.value };
  return { line, ...(referenceId !== undefined && { referenceId }), ...refusal, ...source };
}

/** A line of the repaired file: the changes to one description. */
export function repairedLine({ line }: SourceRecord, { body, changes }: PreparedPosting): object {
  return { line, referenceId: body.referenceId, changes: Object.fromEntries(changes) };
}
