import { images, imagesAreLocal } from './docker.ts';

export type ServerKind = 'containers' | 'binaries';

/**
 * How tests run their servers: by `TEST_SERVERS`, else in containers if a Docker engine has the images. Sets
 * `TEST_SERVERS`, so that a whole run uses one kind.
 * @throws Error if `TEST_SERVERS` has another value.
 */
export async function serverKind(): Promise<ServerKind> {
  const wanted = process.env['TEST_SERVERS'];
  if (wanted === 'containers' || wanted === 'binaries') return wanted;
  if (wanted !== undefined && wanted !== '') {
    throw new Error(`TEST_SERVERS is "${wanted}": it must be "containers" or "binaries".`);
  }
  const kind = (await imagesAreLocal()) ? 'containers' : 'binaries';
  process.env['TEST_SERVERS'] = kind;
  return kind;
}

/** The first line of a run's output. */
export function describeKind(kind: ServerKind): string {
  return kind === 'containers'
    ? `Tests use MongoDB and NATS in containers (testcontainers: ${images.mongo}, ${images.nats}).`
    : 'Tests use local mongod and nats-server binaries.';
}
