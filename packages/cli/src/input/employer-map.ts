import { readFileSync } from 'node:fs';
import { UsageError } from '../terminal.ts';
import { isObject } from '../values.ts';
import { unreadable } from './source.ts';

/** Employers to send in place of those of the postings; null: the company itself. */
export type EmployerMap = ReadonlyMap<unknown, string | null>;

const FORM = 'Write one object: {"name in the postings": "name to send", "another name": null}';

/** Reads the file of `--employer-map`. Throws `UsageError`. */
export function readEmployerMap(file: string): EmployerMap {
  const map = parsed(file);
  if (!isObject(map)) throw new UsageError(`${file} is not a JSON object. ${FORM}`);
  const entries = Object.entries(map).map(([from, to]): [string, string | null] => {
    if (typeof to === 'string' || to === null) return [from, to];
    throw new UsageError(`${file}: "${from}" is mapped to neither a name nor null. ${FORM}`);
  });
  return new Map(entries);
}

function parsed(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (failure) {
    throw new UsageError(`--employer-map: ${unreadable(file, failure)}`, { cause: failure });
  }
  try {
    return JSON.parse(text);
  } catch (failure) {
    throw new UsageError(`${file} is not valid JSON. ${FORM}`, { cause: failure });
  }
}
