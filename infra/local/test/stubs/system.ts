import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { freePort, waitFor } from '@joblisting/testing';
import { processIdentity } from '../../src/lock.ts';

const main = new URL('./start.ts', import.meta.url).pathname;
export const serverBinaries = JSON.parse(
  readFileSync(new URL('../../../../.cache/servers.json', import.meta.url), 'utf8'),
) as Record<string, string>;

export type RunJson = Record<
  string,
  { pid: number; port?: number; uri?: string; url?: string; user?: string; passwordFile?: string }
>;

/** `npm start` as its own process, with stubs for services. */
export type StubSystem = {
  readonly process: ChildProcess;
  readonly port: number;
  readonly dataDir: string;
  readonly output: () => string;
  readonly runJson: () => RunJson;
  readonly ready: () => Promise<void>;
  /** Sends a signal and returns the exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
  /** The exit code of a start that ends by itself. */
  readonly ended: Promise<number | null>;
};

export function dataDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'local-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

const command = [process.execPath, '--conditions=@joblisting/source', main] as const;
/** Runs the command behind a shell, as npm does: the test is not the parent of the system. */
const behindShell = ['/bin/sh', '-c', '"$0" "$@" & wait', ...command] as const;

export async function startStubs(
  dataDir: string,
  environment: NodeJS.ProcessEnv = {},
  [file, ...args]: readonly [string, ...string[]] = command,
): Promise<StubSystem> {
  const port = Number(environment['PORT'] ?? (await freePort()));
  const child = spawn(file, args, {
    env: {
      PATH: process.env['PATH'],
      MONGOD_BIN: process.env['MONGOD_BIN'] ?? serverBinaries['mongod'],
      NATS_SERVER_BIN: process.env['NATS_SERVER_BIN'] ?? serverBinaries['nats-server'],
      NODE_NO_WARNINGS: '1',
      DATA_DIR: dataDir,
      PORT: String(port),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const drained = [child.stdout, child.stderr].map(async (stream) => {
    for await (const chunk of stream ?? []) output += String(chunk);
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const ended = Promise.all(drained).then(() => exited);
  return {
    process: child,
    port,
    dataDir,
    output: () => output,
    runJson: () => JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as RunJson,
    ready: async () => {
      await waitFor(() => output.includes('READY') || child.exitCode !== null, {
        limitMs: 25_000,
        what: 'the stubs to be ready',
      });
      if (!output.includes('READY')) throw new Error(`The start ended early:\n${output}`);
    },
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
    ended,
  };
}

/** The same, started by a stand-in for npm, which is `process`. */
export const startStubsByNpm = (dataDir: string): Promise<StubSystem> =>
  startStubs(dataDir, { npm_lifecycle_event: 'start' }, behindShell);

/** The address of the local MongoDB for its administrator. */
export function adminUri(run: RunJson): string {
  const { uri = '', user = '', passwordFile = '' } = run['mongod'] ?? {};
  return uri.replace('://', `://${user}:${readFileSync(passwordFile, 'utf8')}@`);
}

export const portOf = (uri: string | undefined): number => Number(new URL(uri ?? '').port);

/** Inserts a document and returns how many there are. */
export const insert = async (uri: string): Promise<number> => {
  const client = new mongoose.mongo.MongoClient(uri);
  const things = client.db('kept').collection('things');
  await things.insertOne({}, { writeConcern: { w: 'majority', journal: true } });
  const count = await things.countDocuments();
  await client.close();
  return count;
};

export function isAlive(pid: number): boolean {
  return processIdentity(pid) !== undefined;
}

export function pidsOf(run: RunJson): number[] {
  return Object.values(run).map(({ pid }) => pid);
}
