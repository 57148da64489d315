import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tailOf } from '../logs.ts';
import { type Guard, startChild } from '../processes/child.ts';
import type { Program } from '../processes/supervise.ts';

export type NatsServerOptions = {
  readonly binary: string;
  readonly dataDir: string;
  readonly logDir: string;
  readonly port: number;
  /** The `authorization` section of its configuration. */
  readonly authorization: string;
};

const pollMs = 20;
const infoLimitMs = 2000;

/** nats-server with JetStream on loopback. */
export function natsServer(
  { binary, dataDir, logDir, port, authorization }: NatsServerOptions,
  guard: Guard,
): Program {
  const directory = join(dataDir, 'nats');
  const logFile = join(logDir, 'nats.log');
  const configFile = join(directory, 'nats.conf');
  const config = [
    `listen: "127.0.0.1:${port}"`,
    // Fits an escaped job of 4 MiB, or an application of 6 MiB, with headers.
    'max_payload: 8MB',
    `log_file: ${JSON.stringify(logFile)}`,
    'logfile_size_limit: 20MB',
    'logfile_max_num: 4',
    `jetstream { store_dir: ${JSON.stringify(directory)} }`,
    authorization,
    '',
  ].join('\n');
  return {
    name: 'nats',
    launch: () => {
      mkdirSync(directory, { recursive: true });
      // The file contains passwords: create it anew, so that the mode applies.
      rmSync(configFile, { force: true });
      writeFileSync(configFile, config, { mode: 0o600 });
      return startChild({ file: binary, args: ['-c', configFile] }, guard);
    },
    ready: async (signal) => {
      while ((await natsInfo(`nats://127.0.0.1:${port}`))?.jetstream !== true) {
        await delay(pollMs, undefined, { signal });
      }
    },
    lastLogLine: () => `${tailOf(logFile, /\[(ERR|FTL)\]/)} (${logFile})`,
  };
}

export type NatsInfo = {
  readonly version: string;
  readonly jetstream?: boolean;
  readonly max_payload: number;
};

/** The INFO that a NATS server sends on connect; undefined if none answers. */
export async function natsInfo(url: string): Promise<NatsInfo | undefined> {
  const { hostname, port } = new URL(url.split(',')[0] ?? url);
  const socket = connect({ host: hostname, port: Number(port || 4222) });
  try {
    const [chunk] = (await once(socket, 'data', { signal: AbortSignal.timeout(infoLimitMs) })) as [Buffer];
    const line = /^INFO (\{.*\})/.exec(chunk.toString())?.[1];
    return line === undefined ? undefined : (JSON.parse(line) as NatsInfo);
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
