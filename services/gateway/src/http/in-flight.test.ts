import { afterEach, describe, expect, it } from '@jest/globals';
import { block, waitFor } from '@joblisting/testing';
import fastify from 'fastify';
import { boundBuffers } from './buffers.ts';
import { openCalls } from './call.ts';
import { boundInFlight } from './in-flight.ts';

const LIMIT = 40;
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server with a route for each of two services, which answer when they are told to. */
function setUp() {
  const server = fastify();
  const releases: (() => void)[] = [];
  openCalls(server, 10_000, undefined);
  const places = boundInFlight(
    server,
    LIMIT,
    boundBuffers(1_000_000, () => performance.now()),
  );
  for (const owner of ['jobs', 'categories']) {
    server.get(`/${owner}`, { config: { owner } }, async () => {
      await new Promise<void>((resolve) => {
        releases.push(resolve);
      });
      return 'done';
    });
  }
  closers.push(async () => {
    for (const release of releases) release();
    await server.close();
  });
  const send = (owner: string, count: number) =>
    Array.from({ length: count }, () => server.inject(`/${owner}`).then(({ statusCode }) => statusCode));
  return { places, send };
}

describe('where all places are taken together', () => {
  it('what may wait for the busiest service becomes less while the gateway is late', async () => {
    const { places, send } = setUp();
    const busy = [...send('jobs', 22), ...send('categories', 18)];
    await waitFor(() => places.inFlight() === LIMIT, { what: 'all places to be taken' });
    const isLess = () => {
      expect(places.admit('categories')).toBe(false);
      block(60);
      return (places.ofEach().get('jobs') ?? 0) < 30;
    };
    await waitFor(isLess, { what: 'a lower limit' });
    expect(places.ofEach().get('categories')).toBe(30);
    expect(busy).toHaveLength(LIMIT);
  });
});
