import { standIns } from './stand-ins.mjs';
import { docker, tryRun } from './shell.mjs';
import { say } from './tally.mjs';
import { seconds } from './wait.mjs';

/** What the images are built on and the servers run as, by the variable of docker-compose.yml that names it. */
const publicImages = {
  node: { variable: 'NODE_IMAGE', image: 'node:24-bookworm-slim' },
  mongo: { variable: 'MONGO_IMAGE', image: 'mongo:8.0' },
  nats: { variable: 'NATS_IMAGE', image: 'nats:2.12' },
};
const pullLimitMs = 180_000;

/**
 * The public images, or stand-ins under names of their own where they cannot be had.
 * @returns {Promise<{env: Record<string, string>, own: string[]}>} settings for Compose; what was made here
 */
export async function baseImages(steps) {
  const env = {};
  const own = [];
  for (const [kind, { variable, image }] of Object.entries(publicImages)) {
    const since = performance.now();
    if (process.env[variable]) {
      env[variable] = process.env[variable];
      say(`  ${env[variable]} as ${variable} has it`);
    } else if (await isLocal(image)) {
      env[variable] = image;
      say(`  ${image} is here`);
    } else if ((await tryRun('docker', ['pull', '-q', image], { timeout: pullLimitMs })).ok) {
      env[variable] = image;
      say(`  ${image} pulled (${seconds(since)})`);
    } else {
      const standIn = `job-listing/stand-in:${kind}`;
      await standIns[kind](standIn, steps);
      env[variable] = standIn;
      own.push(standIn);
      say(`  ${image} cannot be pulled: ${standIn} made of this machine's programs (${seconds(since)})`);
    }
  }
  return { env, own };
}

const isLocal = async (image) => (await tryRun('docker', ['image', 'inspect', image])).ok;

/** Bytes of an image. */
export const sizeOf = async (image) =>
  Number(await docker('image', 'inspect', '--format', '{{.Size}}', image));
