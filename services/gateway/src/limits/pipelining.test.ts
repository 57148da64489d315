import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { limitPipelining } from './pipelining.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

it('closes the connection whose requests are too many together with those that wait on others', async () => {
  const responses: ServerResponse[] = [];
  const floods: Socket[] = [];
  const handle = limitPipelining(
    (_request, response) => void responses.push(response),
    (socket) => void floods.push(socket.destroy()),
    10,
  );
  const server = createServer(handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const send = async (requests: number): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').resume();
    await once(
      socket.on('error', () => undefined),
      'connect',
    );
    socket.write(REQUEST.repeat(requests));
    return socket;
  };
  const isClosed = async (socket: Socket) => waitFor(() => socket.closed, { what: 'the end' });

  const areOpen = (count: number) =>
    waitFor(() => responses.filter(({ closed }) => !closed).length === count, { what: `${count} requests` });

  const first = await send(16 + 6);
  await areOpen(16);
  await isClosed(await send(16 + 6));
  await areOpen(16);
  // Started requests no longer count as waiting.
  for (const response of responses.slice(0, 16)) response.end();
  await areOpen(6);
  await send(16 + 10);
  await areOpen(6 + 16);
  const ofSecond = responses.at(-1);
  await isClosed(await send(16 + 1));
  // Nor do requests of a closed connection.
  ofSecond?.req.socket.destroy();
  await areOpen(6);
  const third = await send(16 + 10);
  await areOpen(6 + 16);
  expect([first.closed, third.closed]).toEqual([false, false]);
  expect(floods).toEqual([]);
  for (const socket of [first, third]) socket.destroy();
  server.close();
});

it('closes the connection of a chunked request that would wait, which is no flood', async () => {
  const floods: Socket[] = [];
  const handle = limitPipelining(
    () => undefined,
    (socket) => void floods.push(socket.destroy()),
  );
  const server = createServer(handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  socket.on('error', () => undefined);
  socket.write(`${REQUEST.repeat(16)}POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
  await waitFor(() => socket.closed, { what: 'the end' });
  expect(floods).toEqual([]);
  server.close();
});

it('lets requests of one address be worked on 64 at a time besides the first of each connection', async () => {
  const responses: ServerResponse[] = [];
  const handle = limitPipelining(
    (_request, response) => void responses.push(response),
    () => undefined,
  );
  const server = createServer(handle);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const connections = 10;
  const requests = 12;
  const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1').resume());
  for (const socket of sockets) socket.write(REQUEST.repeat(requests));
  const unanswered = () => responses.filter(({ closed }) => !closed);
  await waitFor(() => unanswered().length === 64 + connections, { what: 'as many as there may be' });
  let most = 0;
  await waitFor(
    () => {
      most = Math.max(most, unanswered().length);
      for (const response of unanswered()) response.end();
      return responses.length === connections * requests && unanswered().length === 0;
    },
    { what: 'every answer' },
  );
  expect(most).toBe(64 + connections);
  for (const socket of sockets) socket.destroy();
  server.close();
});
