import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from './json-file.ts';

/** Where a process is reached, and by whom, where not everybody is let in. */
export type Address =
  | { port: number }
  | { uri: string }
  | { url: string; user?: string; passwordFile?: string };
/** `pid` is null for a server that runs elsewhere. */
export type RunEntry = { pid: number | null } & Address;
type Ports = Record<string, number>;

/** `run.json` tells scripts every process that runs now; `ports.json` keeps their ports for the next start. */
export type RunFile = {
  /** The port that the program had in an earlier run. */
  portBefore: (name: string) => number | undefined;
  keepPort: (name: string, port: number) => void;
  set: (name: string, entry: RunEntry) => void;
  /** Every process that was noted, for whoever cleans up. */
  pids: () => number[];
  remove: () => void;
};

/** Opens the two files of a data directory. */
export function openRunFile(dataDir: string): RunFile {
  const file = join(dataDir, 'run.json');
  const portsFile = join(dataDir, 'ports.json');
  const ports = readJson<Ports>(portsFile) ?? {};
  const entries: Record<string, RunEntry> = {};
  rmSync(file, { force: true });
  return {
    portBefore: (name) => ports[name],
    keepPort: (name, port) => {
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
