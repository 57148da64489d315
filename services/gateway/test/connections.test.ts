import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { getCategory } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { customCategory } from '../src/routes/examples.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';

let gateway: TestGateway;
let clients: ReturnType<typeof open>[] = [];

/** A connection that collects what it hears. */
function open() {
  const { port, hostname } = new URL(gateway.origin);
  const socket: Socket = connect(Number(port), hostname);
  let received = '';
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (text) => (received += text));
  const isClosed = once(socket, 'close');
  return {
    send: (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
    answers: () => received.split('HTTP/1.1 200').length - 1,
    isOpen: () => !socket.closed,
    leave: async () => {
      socket.destroy();
      await isClosed;
    },
  };
}

function openOne() {
  const client = open();
  clients.push(client);
  return client;
}
const openAll = (count: number) => Array.from({ length: count }, openOne);

/** Resolves once the client has an answer (true) or was cut off (false). */
async function isAnswered(client: ReturnType<typeof open>): Promise<boolean> {
  const before = client.answers();
  client.send('/healthz');
  const isOver = () => client.answers() > before || !client.isOpen();
  await waitFor(isOver, { what: 'an answer or the end' });
  return client.answers() > before;
}

afterEach(async () => {
  for (const client of clients) await client.leave();
  clients = [];
  await gateway.stop();
});

describe('connections of one address', () => {
  it('past the limit are closed, until an earlier one ends', async () => {
    gateway = await startGateway({ MAX_CONNECTIONS_PER_ADDRESS: '3' });
    const [first, second, third] = [openOne(), openOne(), openOne()];
    for (const client of [first, second, third]) expect(await isAnswered(client)).toBe(true);
    expect(await isAnswered(openOne())).toBe(false);
    await second.leave();
    await waitFor(() => isAnswered(openOne()), { what: 'room for another one' });
    expect(await isAnswered(first)).toBe(true);
  });

  it('are not limited where it is a trusted proxy', async () => {
    gateway = await startGateway({ MAX_CONNECTIONS_PER_ADDRESS: '3', TRUSTED_PROXIES: '127.0.0.0/8' });
    for (const client of openAll(6)) expect(await isAnswered(client)).toBe(true);
  });
});

describe('near the limit of all connections', () => {
  it('the one that is idle longest gives way; one that waits for its answer does not', async () => {
    gateway = await startGateway({ MAX_CONNECTIONS: '10', REQUEST_TIMEOUT_MS: '20000' });
    const release = Promise.withResolvers<void>();
    let isStuck = false;
    await gateway.standIn(getCategory, async () => {
      isStuck = true;
      await release.promise;
      return { data: customCategory };
    });
    const [busy, oldest] = [openOne(), openOne()];
    const idle = [oldest, ...openAll(7)];
    for (const client of idle) expect(await isAnswered(client)).toBe(true);
    busy.send('/v1.0/jobcategories/1');
    await waitFor(() => isStuck, { what: 'the busy connection' });
    expect(await isAnswered(oldest)).toBe(true);

    const isOpen = () => idle.map((client) => client.isOpen());
    for (let time = 0; time < 2; time++) expect(await isAnswered(openOne())).toBe(true);
    await waitFor(() => isOpen().filter((each) => !each).length === 2, {
      what: 'two idle connections to go',
    });
    expect([busy.isOpen(), isOpen()]).toEqual([true, [true, false, false, true, true, true, true, true]]);
    release.resolve();
    await waitFor(() => busy.answers() === 1, { what: 'its answer' });
  });
});
