import { sizeOf } from './base-images.mjs';
import { services } from './system.mjs';
import { say } from './tally.mjs';
import { seconds } from './wait.mjs';

const mega = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Builds an image after the other, so that each takes over what the one before has made, and tells their sizes. */
export async function buildImages(system, base, tally) {
  const baseSize = await sizeOf(base);
  say(`  ${base}: ${mega(baseSize)}`);
  // The image of what runs once is built by the first that does.
  const builds = [['setup', 'volumes'], ...services.map((service) => [service, service])];
  for (const [image, service] of builds) {
    const since = performance.now();
    await system.build(service);
    const size = await sizeOf(system.imageOf(image));
    tally.note(`${image}: ${mega(size)}, ${mega(size - baseSize)} above its base (${seconds(since)})`);
  }
}
