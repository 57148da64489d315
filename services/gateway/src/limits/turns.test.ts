import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { shareTurns } from './turns.ts';

const PROXY = '10.0.0.9';
const response = {} as ServerResponse;

/** Sends requests from addresses, and records which have started. */
function start() {
  const started: string[] = [];
  const handle = shareTurns(
    ({ url = '' }) => void started.push(url),
    (address) => address === PROXY,
  );
  const send = (url: string, remoteAddress = '10.0.0.1') => {
    const socket = { remoteAddress, destroyed: false };
    handle({ url, socket } as IncomingMessage, response);
    return socket;
  };
  return { send, take: () => started.splice(0) };
}

const urls = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `${from + index}`);

it('starts 8 requests of one address in a turn, the others in the next ones, in their order', async () => {
  const { send, take } = start();
  for (const url of urls(0, 19)) send(url);
  expect(take()).toEqual(urls(0, 8));
  await nextTurn();
  expect(take()).toEqual(urls(8, 16));
  send('late');
  expect(take()).toEqual([]);
  await nextTurn();
  expect(take()).toEqual(['16', '17', '18', 'late']);
  send('now');
  expect(take()).toEqual(['now']);
});

it('starts those of another address at once', () => {
  const { send, take } = start();
  for (const url of urls(0, 9)) send(url);
  send('other', '10.0.0.2');
  expect(take()).toEqual([...urls(0, 8), 'other']);
});

it('starts all those of a trusted proxy', () => {
  const { send, take } = start();
  for (const url of urls(0, 40)) send(url, PROXY);
  expect(take()).toEqual(urls(0, 40));
});

it('starts as many again in a later turn', async () => {
  const { send, take } = start();
  for (const url of urls(0, 8)) send(url);
  await nextTurn();
  for (const url of urls(8, 17)) send(url);
  expect(take()).toEqual(urls(0, 16));
});

it('leaves out those whose connection has ended', async () => {
  const { send, take } = start();
  for (const url of urls(0, 8)) send(url);
  const closed = send('closed');
  send('here');
  closed.destroyed = true;
  await nextTurn();
  expect(take()).toEqual([...urls(0, 8), 'here']);
});
