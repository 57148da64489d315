import { readFileSync } from 'node:fs';
import { standIns } from './stand-ins.mjs';
import { docker, tryRun } from './shell.mjs';
import { services } from './system.mjs';
import { say, seconds } from './tally.mjs';

const compose = ['../../docker-compose.yml', '../docker/tls.yml']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('');
const defaultOf = (variable) => new RegExp(`\\$\\{${variable}:-([^}]+)\\}`).exec(compose)[1];

/** The variables of Compose's files whose defaults are public images. */
const publicImages = { node: 'NODE_IMAGE', mongo: 'MONGO_IMAGE', nats: 'NATS_IMAGE', caddy: 'CADDY_IMAGE' };
const pullLimitMs = 180_000;

/**
 * The public images, or stand-ins with other names if a pull fails.
 * @returns {Promise<{env: Record<string, string>, own: string[]}>} settings for Compose; the stand-ins
 */
export async function baseImages(steps) {
  const env = {};
  const own = [];
  for (const [kind, variable] of Object.entries(publicImages)) {
    const image = defaultOf(variable);
    const since = performance.now();
    if (process.env[variable]) {
      env[variable] = process.env[variable];
      say(`  ${env[variable]} from ${variable}`);
    } else if (await isLocal(image)) {
      env[variable] = image;
      say(`  ${image} is already present`);
    } else if ((await tryRun('docker', ['pull', '-q', image], { timeout: pullLimitMs })).ok) {
      env[variable] = image;
      say(`  ${image} pulled (${seconds(since)})`);
    } else {
      const standIn = `job-listing/stand-in:${kind}`;
      await standIns[kind](standIn, steps);
      env[variable] = standIn;
      own.push(standIn);
      say(`  ${image} cannot be pulled; built ${standIn} from this machine's programs (${seconds(since)})`);
    }
  }
  return { env, own };
}

const isLocal = async (image) => (await tryRun('docker', ['image', 'inspect', image])).ok;

const sizeOf = async (image) => Number(await docker('image', 'inspect', '--format', '{{.Size}}', image));

const mega = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Builds the images one after the other, so that each reuses cached layers, and prints their sizes. */
export async function buildImages(system, base, tally) {
  const baseSize = await sizeOf(base);
  say(`  ${base}: ${mega(baseSize)}`);
  // `volumes` builds the image of all containers that run once.
  const builds = [['setup', 'volumes'], ['cli', 'cli'], ...services.map((service) => [service, service])];
  for (const [image, service] of builds) {
    const since = performance.now();
    await system.build(service);
    const size = await sizeOf(system.imageOf(image));
    tally.note(`${image}: ${mega(size)}, ${mega(size - baseSize)} above its base (${seconds(since)})`);
  }
}
