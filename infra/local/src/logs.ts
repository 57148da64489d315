import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';

const maxMegabytes = 20;
const keptFiles = 4;
const tailBytes = 64 * 1024;

/**
 * Makes the folder of logs. mongod writes its own log, so it is emptied here where it grew too large in earlier runs. A
 * mongod that is started by hand moves it to `mongod.log.<time>`, which is removed.
 */
export function openLogs(dataDir: string): string {
  const directory = join(dataDir, 'logs');
  mkdirSync(directory, { recursive: true });
  for (const name of readdirSync(directory).filter((one) => one.startsWith('mongod.log.'))) {
    rmSync(join(directory, name));
  }
  const file = join(directory, 'mongod.log');
  if (existsSync(file) && statSync(file).size > maxMegabytes * 1024 ** 2) truncateSync(file);
  return directory;
}

/**
 * Opens `<name>.log`. When it is full it becomes `<name>.1.log`, and so on to `<name>.4.log`. A line can be cut in two by
 * that.
 */
export const openLog = (directory: string, name: string): RotatingFileStream =>
  createStream((index) => (index ? `${name}.${Number(index)}.log` : `${name}.log`), {
    path: directory,
    size: `${maxMegabytes}M`,
    rotate: keptFiles,
  });

/** Writes what the supervisor says to `start.log`, as services write their lines. */
export function supervisorLog(directory: string): {
  record: (msg: string, level?: number) => void;
  close: () => Promise<void>;
} {
  const log = openLog(directory, 'start');
  log.on('error', (error) => console.error(`start: cannot write its log: ${error.message}`));
  return {
    record: (msg, level = warningLevel) => {
      const line = { level, time: new Date().toISOString(), service: 'start', msg };
      log.write(`${JSON.stringify(line)}\n`);
    },
    close: async () => {
      log.end();
      await finished(log).catch(() => undefined);
    },
  };
}

/** Writes a service's output to its log and shows its warnings and errors. Settles when the output ends. */
export function logOutput(
  name: string,
  directory: string,
  show: (line: string) => void,
): (stdout: Readable, stderr: Readable) => Promise<void> {
  return (stdout, stderr) => {
    const log = openLog(directory, name);
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
  err?: LoggedError;
};

type LoggedError = { type?: string; message?: string; codeName?: string; cause?: LoggedError };

export const infoLevel = 30;
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
  const text = [msg, ...textsOf(err)].join(': ');
  return `${at} ${service} ${levelNames[level] ?? `level ${level}`}: ${withoutRepetition(text)}`;
}

/** Removes a leading `<service>: `, with which a service reports wrong settings. */
export function withoutName(service: string, line: string): string {
  return line.startsWith(`${service}: `) ? line.slice(service.length + 2) : line;
}

/** The text of an error and of its causes. Those of the database have only a name and a code. */
function textsOf(error: LoggedError | undefined): string[] {
  if (!error) return [];
  const { type, message, codeName, cause } = error;
  const text = message ?? codeName ?? type;
  return [...(text === undefined ? [] : [text]), ...textsOf(cause)];
}

/** The message of a cause often repeats the same text. */
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
