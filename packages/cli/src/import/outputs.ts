import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Refusal } from '../api/refusal.ts';
import type { SourceRecord } from '../input/records.ts';
import { property } from '../postings/json.ts';
import { UsageError } from '../usage-error.ts';
import type { Prepared } from './prepare.ts';

/** A file of JSON lines that exists only once there is a line. What an earlier run left goes first. */
export interface LinesFile {
  readonly append: (line: object) => void;
  /** The path, if anything was written. */
  readonly written: () => string | undefined;
}

export interface Reports {
  readonly refused: LinesFile;
  readonly repaired: LinesFile;
}

/**
 * The reports of an import of `file`. Throws `UsageError` where they cannot be written: now, not after half of the
 * postings went in.
 */
export function openReports(file: string, flags: { refused?: string; repaired?: string }): Reports {
  const name = nameWithoutEndings(file);
  const refused = flags.refused ?? `${name}.refused.ndjson`;
  const repaired = flags.repaired ?? `${name}.repaired.ndjson`;
  if ([refused, repaired].some((path) => resolve(path) === resolve(file)))
    throw new UsageError(`${file} would be overwritten by a report: choose another --refused or --repaired.`);
  if (resolve(refused) === resolve(repaired))
    throw new UsageError(`--refused and --repaired are both ${refused}: choose another one.`);
  return { refused: linesFile(refused), repaired: linesFile(repaired) };
}

function linesFile(path: string): LinesFile {
  try {
    writeFileSync(path, '');
    rmSync(path);
  } catch (cause) {
    throw new UsageError(`The report ${path} cannot be written: ${String(property(cause, 'message'))}`, {
      cause,
    });
  }
  let used = false;
  return {
    append: (line) => {
      used = true;
      appendFileSync(path, `${JSON.stringify(line)}\n`);
    },
    written: () => (used ? path : undefined),
  };
}

/** `jobpostings.ndjson.gz` → `jobpostings`. */
function nameWithoutEndings(path: string): string {
  return basename(path).replace(/(\.(gz|ndjson|jsonl|json))+$/iu, '');
}

/** A line of the refused file: where the posting stands, why it is not in, and the posting itself. */
export function refusedLine(record: SourceRecord, referenceId: string | undefined, refusal: Refusal): object {
  const { line } = record;
  const source = 'malformed' in record ? { text: record.text } : { posting: record.value };
  return { line, ...(referenceId !== undefined && { referenceId }), ...refusal, ...source };
}

/** A line of the repaired file: what was changed in the description of one posting. */
export function repairedLine({ line }: SourceRecord, { body, changes }: Prepared): object {
  return { line, referenceId: body.referenceId, changes: Object.fromEntries(changes) };
}
