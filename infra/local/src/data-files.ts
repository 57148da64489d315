import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replaces a file atomically. Only its owner may read it. */
export function writePrivate(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Writes a JSON file like `writePrivate`. */
export const writeJson = (file: string, value: unknown): void =>
  writePrivate(file, `${JSON.stringify(value, undefined, 2)}\n`);

/** Reads a JSON file; undefined if it is missing or broken. */
export function readJson<T>(file: string): Partial<T> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<T>;
  } catch {
    return undefined;
  }
}

/** Makes the folder of mails and returns its path. Applications are personal data, so only its owner may read it. */
export function mailDirectory(dataDir: string): string {
  const directory = join(dataDir, 'mail');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}

/** How clients reach a process, with their credentials if it needs any. */
export type Address =
  | { port: number }
  | { uri: string; user?: string; passwordFile?: string }
  | { url: string; user?: string; passwordFile?: string };
/** `pid` is null for a server that runs elsewhere. */
export type RunEntry = { pid: number | null } & Address;

/** `run.json` lists the running processes for scripts; `ports.json` keeps their ports for the next start. */
export type RunFile = {
  /** The port of the program in an earlier run. */
  previousPort: (name: string) => number | undefined;
  savePort: (name: string, port: number) => void;
  set: (name: string, entry: RunEntry) => void;
  pids: () => number[];
  remove: () => void;
};

export function openRunFile(dataDir: string): RunFile {
  const file = join(dataDir, 'run.json');
  const portsFile = join(dataDir, 'ports.json');
  const ports = readJson<Record<string, number>>(portsFile) ?? {};
  const entries: Record<string, RunEntry> = {};
  rmSync(file, { force: true });
  return {
    previousPort: (name) => ports[name],
    savePort: (name, port) => {
      ports[name] = port;
      writeJson(portsFile, ports);
    },
    set: (name, entry) => {
      entries[name] = entry;
      writeJson(file, entries);
    },
    pids: () => Object.values(entries).flatMap(({ pid }) => (pid === null ? [] : [pid])),
    remove: () => rmSync(file, { force: true }),
  };
}
