import { createWriteStream, existsSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

const maxBytes = 20 * 1024 * 1024;
const tailBytes = 64 * 1024;

/** Makes the folder of logs and empties logs that grew too large in earlier runs. */
export function openLogs(dataDir: string, names: readonly string[]): string {
  const directory = join(dataDir, 'logs');
  mkdirSync(directory, { recursive: true });
  for (const name of names) {
    const file = join(directory, `${name}.log`);
    if (existsSync(file) && statSync(file).size > maxBytes) truncateSync(file);
  }
  return directory;
}

/** Writes a service's output to a file and shows its warnings and errors. Settles when the output ends. */
export function logOutput(
  name: string,
  file: string,
  show: (line: string) => void,
): (stdout: Readable, stderr: Readable) => Promise<void> {
  return (stdout, stderr) => {
    const log = createWriteStream(file, { flags: 'a' });
    log.on('error', (error) => show(`${name}: cannot write its log: ${error.message}`));
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
    // The error handler above has shown it.
    return finished(log).catch(() => undefined);
  };
}

/** The last line of a log that matches, or its last line; empty when there is none. */
export function tailOf(file: string, pattern: RegExp): string {
  if (!existsSync(file)) return '';
  const lines = readFileSync(file).subarray(-tailBytes).toString().trim().split('\n');
  return lines.findLast((line) => pattern.test(line)) ?? lines.at(-1) ?? '';
}

type LogLine = {
  level?: number;
  time?: number | string;
  msg?: string;
  err?: { message?: string };
};

const warningLevel = 40;
const levelNames: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' };

/** One line of a service's output for the terminal, or undefined below a warning. Shows other text too, such as a crash. */
export function prettyLine(service: string, line: string): string | undefined {
  if (line.trim() === '') return undefined;
  const parsed = parse(line);
  if (parsed === undefined) return `${service}: ${withoutName(service, line)}`;
  const { level = 0, time, msg = '', err } = parsed;
  if (level < warningLevel) return undefined;
  const at = new Date(time ?? 0).toTimeString().slice(0, 8);
  const text = err?.message === undefined ? msg : `${msg}: ${err.message}`;
  return `${at} ${service} ${levelNames[level] ?? `level ${level}`}: ${withoutRepetition(text)}`;
}

/** Removes a leading `<service>: `, with which a service reports wrong settings. */
export function withoutName(service: string, line: string): string {
  return line.startsWith(`${service}: `) ? line.slice(service.length + 2) : line;
}

/** pino appends the message of each cause, which often repeats the same text. */
function withoutRepetition(text: string): string {
  return text.replace(/(^|: )(.+?)(?:: \2)+$/s, '$1$2');
}

function parse(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}
