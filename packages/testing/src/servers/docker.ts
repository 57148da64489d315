import { existsSync } from 'node:fs';
import { request } from 'node:http';

/** The images of production, unless the environment names others. */
export const images = {
  mongo: process.env['TEST_MONGO_IMAGE'] || 'mongo:8.0',
  nats: process.env['TEST_NATS_IMAGE'] || 'nats:2.12',
};

const ENGINE_TIMEOUT_MS = 2000;

/** Whether a Docker engine answers and has every image. Tests pull nothing. */
export async function imagesAreLocal(): Promise<boolean> {
  const engine = engineAddress();
  if (engine === undefined) return false;
  const present = await Promise.all(Object.values(images).map((image) => hasImage(engine, image)));
  return present.every(Boolean);
}

type Engine = { socketPath: string } | { host: string; port: string };

function engineAddress(): Engine | undefined {
  const configured = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock';
  const url = new URL(configured);
  if (url.protocol === 'unix:') return existsSync(url.pathname) ? { socketPath: url.pathname } : undefined;
  return { host: url.hostname, port: url.port };
}

function hasImage(engine: Engine, image: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { ...engine, path: `/images/${image}/json`, timeout: ENGINE_TIMEOUT_MS };
    const call = request(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    call.once('timeout', () => call.destroy(new Error('timeout')));
    call.once('error', () => resolve(false));
    call.end();
  });
}

/** Loads testcontainers. Only tests that use containers pay for its slow import. */
export async function engine() {
  // Its reaper needs another image, and every suite stops its own containers.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  return { GenericContainer, Wait, runtime: await getContainerRuntimeClient() };
}
