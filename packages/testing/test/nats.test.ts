import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNats, waitFor, type TestNats } from '../src/index.ts';

/** Connects and reads the server's INFO message. */
async function dial(url: string): Promise<{ socket: Socket; info: Record<string, unknown> }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  const [chunk] = (await Promise.race([
    once(socket, 'data'),
    once(socket, 'close').then(() => {
      throw new Error('closed');
    }),
  ])) as [Buffer];
  return { socket, info: JSON.parse(chunk.toString().replace(/^INFO /, '')) as Record<string, unknown> };
}

describe('startNats', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats.stop());

  it('starts with JetStream and a maximum payload of 8 MiB', async () => {
    const { socket, info } = await dial(nats.url);
    socket.destroy();
    expect(info).toMatchObject({ jetstream: true, max_payload: 8 * 1024 * 1024 });
  });

  it('drops connections when killed, and restarts on the same port', async () => {
    const { socket } = await dial(nats.url);
    const closed = once(socket, 'close');
    await nats.kill();
    await closed;
    await expect(dial(nats.url)).rejects.toThrow('ECONNREFUSED');
    await nats.restart();
    const again = await dial(nats.url);
    again.socket.destroy();
  });

  it('gives no answers while paused', async () => {
    const { socket } = await dial(nats.url);
    let answers = '';
    socket.on('data', (chunk) => {
      answers += chunk.toString();
    });
    await nats.pause();
    socket.write('CONNECT {"verbose":false}\r\nPING\r\n');
    await nats.resume();
    await waitFor(() => answers.includes('PONG'), { what: 'the answer after the pause' });
    socket.destroy();
  });
});
