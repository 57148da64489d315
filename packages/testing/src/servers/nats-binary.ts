import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverBinary } from './binaries.ts';
import { guard } from './guard.ts';
import type { NatsSettings } from './nats-settings.ts';
import { maxPayloadBytes, type TestNats } from './test-nats.ts';

const readyLimitMs = 10_000;
/** nats-server's word for "any free port". */
const anyPort = -1;

type Running = { child: ChildProcess; port: number; close: () => void };

/** Runs the local nats-server; it picks a free port itself and keeps it for restarts. */
export async function startNatsBinary({ lines, files = {} }: NatsSettings): Promise<TestNats> {
  const directory = await mkdtemp(join(tmpdir(), 'nats-test-'));
  const settings = lines(directory);
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
  let running = await launch(directory, anyPort, settings);
  const { port } = running;

  const kill = async (): Promise<void> => {
    const { child, close } = running;
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    close();
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    kill,
    stop: async () => {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
    pause: async () => void running.child.kill('SIGSTOP'),
    resume: async () => void running.child.kill('SIGCONT'),
    restart: async () => {
      await kill();
      running = await launch(directory, port, settings);
    },
  };
}

async function launch(directory: string, port: number, settings: string): Promise<Running> {
  const config = join(directory, 'nats.conf');
  await writeFile(
    config,
    `listen: "127.0.0.1:${port}"\nmax_payload: ${maxPayloadBytes}\njetstream { store_dir: ${JSON.stringify(directory)} }\n${settings}\n`,
  );
  const child = spawn(serverBinary('nats-server'), ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const close = child.pid === undefined ? () => {} : guard(child.pid).close;
  try {
    return { child, close, port: await ready(child) };
  } catch (error) {
    close();
    throw error;
  }
}

/** Reads the log until the server says that it is ready; JetStream is up before that line. */
function ready(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let log = '';
    const fail = (why: string): void => reject(new Error(`nats-server ${why}:\n${log}`));
    const limit = setTimeout(() => fail(`was not ready after ${readyLimitMs} ms`), readyLimitMs);
    const read = (chunk: Buffer): void => {
      log += chunk.toString();
      const port = /Listening for client connections on \S+:(\d+)/.exec(log)?.[1];
      if (port === undefined || !log.includes('Server is ready')) return;
      clearTimeout(limit);
      child.stderr?.off('data', read).resume();
      resolve(Number(port));
    };
    child.stderr?.on('data', read);
    child.once('error', (error) => fail(`did not start (${error.message})`));
    child.once('exit', (code) => {
      clearTimeout(limit);
      fail(`ended with code ${code}`);
    });
  });
}
