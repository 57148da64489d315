import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes a file that its owner alone may read, so that a reader sees the old or the new one, never half. */
export function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Writes a JSON file as `writeWhole` does. */
export const writeJson = (file: string, value: unknown): void =>
  writeWhole(file, `${JSON.stringify(value, undefined, 2)}\n`);

/** Reads a JSON file; undefined when there is none, or it is not JSON. */
export function readJson<T>(file: string): Partial<T> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<T>;
  } catch {
    return undefined;
  }
}
