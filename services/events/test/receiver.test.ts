import { createServer } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Certificates, freePort, makeCertificates, waitFor } from '@joblisting/testing';
import { messageSender, type Network } from '../src/clients/receiver.ts';
import { readNetworks } from '../src/domain/address.ts';
import { messageOf, testEvent } from '../src/domain/message.ts';
import { newSecret } from '../src/domain/webhook.ts';
import { startReceiver } from './receivers.ts';

const message = messageOf(testEvent(1, 1, 0));
const opening = (networks: string) => ({ networks: readNetworks(networks) ?? [], ports: [443] });
const nobody: Network = { resolve: async () => [] };

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
const receive = async (options: Parameters<typeof startReceiver>[0] = {}) => {
  const receiver = await startReceiver(options);
  stops.push(() => receiver.stop());
  return receiver;
};
const sendTo = (url: string, network = nobody, networks = 'loopback', limitMs = 2000) =>
  messageSender(opening(networks), network)({ url, message, secrets: [newSecret()], limitMs });

describe('over https', () => {
  let tls: Certificates;
  beforeAll(() => {
    const made = makeCertificates();
    if (!made) throw new Error('openssl 3 is needed');
    tls = made;
  });

  it('a receiver with a certificate of its name gets the message', async () => {
    const { port, received } = await receive({ tls });
    const network: Network = { resolve: async () => ['127.0.0.1'], ca: tls.ca };
    expect(await sendTo(`https://localhost:${port}/`, network)).toMatchObject({
      outcome: 'delivered',
      status: 204,
    });
    expect(received[0]?.headers.host).toBe(`localhost:${port}`);
  });

  it('a certificate of another name, or of nobody known, fails the connection', async () => {
    const { port, received } = await receive({ tls });
    const resolve = async () => ['127.0.0.1'];
    const url = `https://hooks.example.com:${port}/`;
    expect(await sendTo(url, { resolve, ca: tls.ca })).toMatchObject({ outcome: 'connection_failed' });
    expect(await sendTo(`https://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'connection_failed' });
    expect(received).toEqual([]);
  });
});

describe('a name', () => {
  it('that leads elsewhere after it was checked is resolved once, and the connection goes to the checked address', async () => {
    const good = await receive({ host: '127.0.0.2' });
    const secret = await receive({ host: '127.0.0.1', port: good.port });
    let asked = 0;
    const resolve = async () => [++asked % 2 === 1 ? '127.0.0.2' : '127.0.0.1'];
    const url = `http://rebinding.example.com:${good.port}/`;
    expect(await sendTo(url, { resolve }, '127.0.0.2/32')).toMatchObject({ outcome: 'delivered' });
    expect(asked).toBe(1);
    expect(await sendTo(url, { resolve }, '127.0.0.2/32')).toMatchObject({ outcome: 'address_forbidden' });
    expect([good.received.length, secret.received.length]).toEqual([1, 0]);
  });

  it.each([['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['169.254.169.254']])(
    'that leads to %s gets nothing',
    async (...addresses) => {
      const { port, received } = await receive();
      const resolve = async () => addresses;
      const sent = await sendTo(`https://evil.example.com:${port}/`, { resolve }, '');
      expect(sent).toMatchObject({ outcome: 'address_forbidden' });
      expect(received).toEqual([]);
    },
  );

  it('that nothing has is not resolved', async () => {
    expect(await sendTo('https://hooks.example.com/')).toMatchObject({ outcome: 'name_not_resolved' });
    const resolve = () => new Promise<string[]>(() => undefined);
    const sent = await sendTo('https://hooks.example.com/', { resolve }, '', 100);
    expect(sent).toMatchObject({ outcome: 'name_not_resolved' });
  });
});

describe('an address', () => {
  it.each(['https://127.0.0.1/', 'https://2130706433/', 'https://[::1]/', 'https://localhost/'])(
    'that is forbidden by itself gets nothing: %s',
    async (url) => {
      expect(await sendTo(url, nobody, '')).toMatchObject({ outcome: 'address_forbidden' });
    },
  );

  it('where nobody listens fails the connection', async () => {
    const port = await freePort();
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'connection_failed' });
  });

  it('where something else than HTTP listens fails the connection', async () => {
    const server = createServer((socket) => void socket.resume().end('220 mail\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as { port: number };
    expect(await sendTo(`http://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'connection_failed' });
  });
});

describe('an answer', () => {
  it('that does not come in time is a timeout', async () => {
    const receiver = await receive();
    receiver.answers(() => () => undefined);
    const { outcome, status, durationMs } = await sendTo(receiver.url, nobody, 'loopback', 200);
    expect([outcome, status]).toEqual(['timeout', undefined]);
    expect(durationMs).toBeLessThan(2000);
  });

  it('whose body never ends counts by its status', async () => {
    const receiver = await receive();
    receiver.answers(() => (response) => response.writeHead(200).write('…'));
    const sent = await sendTo(receiver.url, nobody, 'loopback', 200);
    expect(sent).toMatchObject({ outcome: 'delivered', status: 200 });
  });

  it.each([101, 100, 103])('%d alone does not keep the place of an attempt', async (status) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.write(`HTTP/1.1 ${status} Text\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as { port: number };
    const { outcome } = await sendTo(`http://127.0.0.1:${port}/`, nobody, 'loopback', 300);
    expect(outcome).toBe(status === 101 ? 'refused' : 'timeout');
  });

  it('with a body that is too large is cut off', async () => {
    const receiver = await receive();
    let isCutOff = false;
    receiver.answers(() => (response) => {
      response.on('close', () => {
        isCutOff = !response.writableFinished;
      });
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      };
      response.writeHead(200).on('drain', write);
      write();
    });
    expect(await sendTo(receiver.url)).toMatchObject({ outcome: 'delivered', status: 200 });
    await waitFor(() => isCutOff, { what: 'the end of the connection' });
  });

  it.each([
    ['120', 120_000],
    [undefined, undefined],
    ['soon', undefined],
  ])('503 with Retry-After %s asks for %s ms', async (text, expected) => {
    const receiver = await receive();
    receiver.answers(() => (response) => response.writeHead(503, text ? { 'Retry-After': text } : {}).end());
    expect((await sendTo(receiver.url)).retryAfterMs).toBe(expected);
  });

  it('with Retry-After as a date asks for the time until then, and 500 asks for nothing', async () => {
    const receiver = await receive();
    const headers = { 'Retry-After': new Date(Date.now() + 60_000).toUTCString() };
    receiver.answers(() => (response) => response.writeHead(429, headers).end());
    const { retryAfterMs = 0 } = await sendTo(receiver.url);
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    receiver.answers(() => (response) => response.writeHead(500, headers).end());
    expect((await sendTo(receiver.url)).retryAfterMs).toBeUndefined();
  });
});
