import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverKind } from './kind.ts';
import { launchNats } from './nats-process.ts';
import { MAX_PAYLOAD_BYTES, type NatsSettings, type TestNats } from './test-nats.ts';

/** Makes nats-server choose a free port. */
const ANY_PORT = -1;

/**
 * Starts a nats-server with JetStream and resolves when it accepts connections.
 * @param settings more lines of its configuration
 */
export async function startNats(settings: string | NatsSettings = ''): Promise<TestNats> {
  const full = typeof settings === 'string' ? { lines: () => settings } : settings;
  if ((await serverKind()) === 'binaries') return startNatsBinary(full);
  const { startNatsContainer } = await import('./nats-container.ts');
  return startNatsContainer(full);
}

/** Runs the local nats-server. Restarts keep the port that it chose. */
async function startNatsBinary({ lines, files = {} }: NatsSettings): Promise<TestNats> {
  const directory = await mkdtemp(join(tmpdir(), 'nats-test-'));
  const settings = lines(directory);
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
  const launch = (port: number) =>
    launchNats(
      directory,
      `listen: "127.0.0.1:${port}"\nmax_payload: ${MAX_PAYLOAD_BYTES}\njetstream { store_dir: ${JSON.stringify(directory)} }\n${settings}\n`,
    );
  let running = await launch(ANY_PORT);
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
