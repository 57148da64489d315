import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchNats } from './nats-process.ts';
import type { NatsSettings } from './nats-settings.ts';
import { maxPayloadBytes, type TestNats } from './test-nats.ts';

/** nats-server's word for "any free port". */
const anyPort = -1;

/** Runs the local nats-server; it picks a free port itself and keeps it for restarts. */
export async function startNatsBinary({ lines, files = {} }: NatsSettings): Promise<TestNats> {
  const directory = await mkdtemp(join(tmpdir(), 'nats-test-'));
  const settings = lines(directory);
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
  const launch = (port: number) =>
    launchNats(
      directory,
      `listen: "127.0.0.1:${port}"\nmax_payload: ${maxPayloadBytes}\njetstream { store_dir: ${JSON.stringify(directory)} }\n${settings}\n`,
    );
  let running = await launch(anyPort);
  const { port } = running;

  return {
    url: `nats://127.0.0.1:${port}`,
    kill: () => running.kill(),
    stop: async () => {
      await running.kill();
      await rm(directory, { recursive: true, force: true });
    },
    pause: async () => running.pause(),
    resume: async () => running.resume(),
    restart: async () => {
      await running.kill();
      running = await launch(port);
    },
  };
}
