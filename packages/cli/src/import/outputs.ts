import { appendFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Refusal } from '../api/refusal.ts';
import type { SourceRecord } from '../input/records.ts';
import type { Prepared } from './prepare.ts';

/** A file of JSON lines that exists only once there is a line. What an earlier run left goes first. */
export interface LinesFile {
  readonly append: (line: object) => void;
  /** The path, if anything was written. */
  readonly written: () => string | undefined;
}

export function linesFile(path: string): LinesFile {
  rmSync(path, { force: true });
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
export function nameWithoutEndings(path: string): string {
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
