import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { readToTheEnd, refuseTinyChunks } from './tiny-chunks.ts';

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunks = (count: number, bytes: number) =>
  `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`.repeat(count);

/** The size of the body if it was answered, and whether its connection was reported. */
async function outcomeOf(body: string, isRead: boolean) {
  const floods: Socket[] = [];
  const server = createServer({
    IncomingMessage: refuseTinyChunks((socket) => void floods.push(socket.destroy())),
  });
  server.on('request', (request, response) => {
    if (isRead)
      void buffer(request).then(
        ({ length }) => response.end(`${length} bytes`),
        () => undefined,
      );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (text) => (received += text));
  socket.on('error', () => undefined).write(HEAD + body + chunks(1, 0));
  await waitFor(() => socket.closed || received.includes('bytes'), { what: 'an answer or the end' });
  socket.destroy();
  server.close();
  return { bytes: /(\d+) bytes/.exec(received)?.[1], floods: floods.length };
}

it.each([
  ['1,024 chunks of one byte', chunks(1024, 1), '1024'],
  ['more of 64 bytes', chunks(20_000, 64), '1280000'],
  ['more of one byte behind a large one', chunks(1, 100_000) + chunks(1500, 1), '101500'],
])('reads %s', async (_what, body, bytes) => {
  expect(await outcomeOf(body, true)).toEqual({ bytes, floods: 0 });
});

it.each([
  ['one byte', 1, true],
  ['31 bytes', 31, true],
  ['one byte that nobody reads', 1, false],
])('ends the connection of more than 1,024 chunks of %s', async (_what, bytes, isRead) => {
  expect(await outcomeOf(chunks(1025, bytes), isRead)).toEqual({ bytes: undefined, floods: 1 });
});

it('counts the chunks that come after the answer as well', async () => {
  const floods: Socket[] = [];
  const IncomingMessage = refuseTinyChunks((socket) => void floods.push(socket.destroy()));
  const server = createServer(
    { IncomingMessage },
    readToTheEnd((_request, response) => response.end('too early')),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => undefined).write(HEAD);
  await once(socket, 'data');
  socket.write(chunks(1025, 1));
  await waitFor(() => socket.closed, { what: 'the end' });
  expect(floods).toHaveLength(1);
  server.close();
});
