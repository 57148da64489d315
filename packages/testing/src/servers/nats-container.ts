import { connect } from 'node:net';
import { freePort } from '../free-port.ts';
import { engine, images } from './docker.ts';
import { guardContainer } from './guard.ts';
import { MAX_PAYLOAD_BYTES, type NatsSettings, type TestNats } from './test-nats.ts';
import { waitFor } from '../wait-for.ts';

const GREETING_LIMIT_MS = 1000;
const configWith = (settings: string): string =>
  `max_payload: ${MAX_PAYLOAD_BYTES}\njetstream { store_dir: "/data" }\n${settings}\n`;
const DIRECTORY = '/etc/nats-test';

/** Runs the NATS image. Restarts keep its host port. */
export async function startNatsContainer({ lines, files = {} }: NatsSettings): Promise<TestNats> {
  const { GenericContainer, Wait, runtime } = await engine();
  const port = await freePort();
  const guard = guardContainer();
  const started = await new GenericContainer(images.nats)
    .withLabels(guard.labels)
    .withCopyContentToContainer([
      { content: configWith(lines(DIRECTORY)), target: '/etc/nats-test.conf' },
      ...Object.entries(files).map(([name, content]) => ({ content, target: `${DIRECTORY}/${name}` })),
    ])
    .withCommand(['-c', '/etc/nats-test.conf'])
    .withExposedPorts({ container: 4222, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .start();
  const container = runtime.container.getById(started.getId());

  const kill = async (): Promise<void> => {
    const { State } = await container.inspect();
    if (State.Running) await container.kill();
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    kill,
    stop: async () => {
      await started.stop({ remove: true, timeout: 0 });
      guard.close();
    },
    pause: async () => void (await container.pause()),
    resume: async () => void (await container.unpause()),
    restart: async () => {
      await kill();
      await container.start();
      await waitFor(() => greets(port), { limitMs: 10_000, what: 'the NATS container to be ready again' });
    },
  };
}

/** Whether the server itself answers: Docker accepts connections before it, and the log has lines of the last start. */
async function greets(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1').setTimeout(GREETING_LIMIT_MS);
  try {
    return await new Promise((resolve) => {
      socket
        .once('data', () => resolve(true))
        .once('timeout', () => resolve(false))
        .once('close', () => resolve(false))
        .once('error', () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
