import { images, imagesAreLocal } from './docker.ts';

export type ServerKind = 'containers' | 'binaries';

/**
 * What tests run their servers as. `TEST_SERVERS` decides; without it, containers when a Docker engine has
 * the images. The answer is kept in `TEST_SERVERS`, so that one run uses one kind.
 * @throws Error when `TEST_SERVERS` is neither.
 */
export async function serverKind(): Promise<ServerKind> {
  const wanted = process.env['TEST_SERVERS'];
  if (wanted === 'containers' || wanted === 'binaries') return wanted;
  if (wanted !== undefined && wanted !== '') {
    throw new Error(`TEST_SERVERS is "${wanted}": it takes "containers" or "binaries".`);
  }
  const kind = (await imagesAreLocal()) ? 'containers' : 'binaries';
  process.env['TEST_SERVERS'] = kind;
  return kind;
}

/** One line for the person who watches the run. */
export function describeKind(kind: ServerKind): string {
  return kind === 'containers'
    ? `Tests use MongoDB and NATS in containers (testcontainers: ${images.mongo}, ${images.nats}).`
    : 'Tests use local mongod and nats-server binaries.';
}
