import { createWriteStream, existsSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { prettyLine } from './pretty-line.ts';

const largestBytes = 20 * 1024 * 1024;
/** How much of the end of a log is looked through. */
const tailBytes = 64 * 1024;

/** Makes the folder for logs; logs that grew too large in earlier runs start again. */
export function openLogs(dataDir: string, names: readonly string[]): string {
  const directory = join(dataDir, 'logs');
  mkdirSync(directory, { recursive: true });
  for (const name of names) {
    const file = join(directory, `${name}.log`);
    if (existsSync(file) && statSync(file).size > largestBytes) truncateSync(file);
  }
  return directory;
}

/** Keeps everything that a service prints in a file, and shows its warnings and errors, until it prints no more. */
export function logOutput(
  name: string,
  file: string,
  show: (line: string) => void,
): (stdout: Readable, stderr: Readable) => Promise<void> {
  return (stdout, stderr) => {
    const log = createWriteStream(file, { flags: 'a' });
    log.on('error', (error) => show(`${name}: its log cannot be written: ${error.message}`));
    let open = 2;
    for (const stream of [stdout, stderr]) {
      stream.pipe(log, { end: false });
      stream.once('close', () => {
        open -= 1;
        if (open === 0) log.end();
      });
      createInterface({ input: stream }).on('line', (line) => {
        const pretty = prettyLine(name, line);
        if (pretty !== undefined) show(pretty);
      });
    }
    // An error is shown above.
    return finished(log).catch(() => undefined);
  };
}

/** The last line of a log that matches, or its last line; empty when there is none. */
export function tailOf(file: string, wanted: RegExp): string {
  if (!existsSync(file)) return '';
  const lines = readFileSync(file).subarray(-tailBytes).toString().trim().split('\n');
  return lines.findLast((line) => wanted.test(line)) ?? lines.at(-1) ?? '';
}
