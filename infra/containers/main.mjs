// Builds the images, starts the system with Compose, uses it, kills parts of it, and removes everything.
import { once } from 'node:events';
import { createSteps } from '../local/bootstrap/terminal.mjs';
import { baseImages, buildImages } from './base-images.mjs';
import { findEngine } from './engine.mjs';
import { docker } from './shell.mjs';
import { runSuites } from './suites.mjs';
import { createSystem } from './system.mjs';
import { createTally, say, seconds } from './tally.mjs';
import { useSystem } from './use-system.mjs';

const since = performance.now();
const tally = createTally();
let images;
let system;

async function work({ compose }) {
  say(`Base images (${compose.join(' ')})`);
  images = await baseImages(createSteps());
  system = await createSystem(compose, images.env);
  await tally.part('Images', () => buildImages(system, images.env.NODE_IMAGE, tally));
  await tally.part('Suites with testcontainers', () => runSuites(images.env, tally));
  await useSystem(system, tally);
}

async function clean() {
  await system?.remove();
  for (const image of images?.own ?? []) await docker('image', 'rm', '-f', image);
  say(`\nRemoved everything; ${seconds(since)} in total.`);
}

const engine = await findEngine();
if ('missing' in engine) {
  say(`Skipped: ${engine.missing}.`);
} else {
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => {
    throw new Error('interrupted');
  });
  await Promise.race([work(engine), interrupted]).catch((error) => tally.note('the run', error.message));
  await clean().catch((error) => tally.note('the removal', error.message));
  engine.stop();
}
const { passed, failed } = tally.counts;
say(`Containers: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
