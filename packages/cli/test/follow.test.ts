import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { runCli } from './support/run-cli.ts';

let server: Server;
let urls: (string | undefined)[];
let answers: { readonly status: number; readonly body: object }[];

beforeAll(async () => {
  // With no more answers, a request waits.
  server = createServer(({ url }, response) => {
    urls.push(url);
    const answer = answers.shift();
    if (answer)
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.body));
    else interrupt();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
let interrupt = (): void => undefined;
beforeEach(() => {
  urls = [];
  answers = [];
});

const follow = (...flags: string[]) => {
  const { port } = server.address() as AddressInfo;
  const keys = ['--company', '1', '--consumer-key', 'c', '--user-key', 'u'];
  return runCli(['events', 'follow', '--base-url', `http://127.0.0.1:${port}`, ...keys, ...flags], {
    onInterrupt: (callback) => {
      interrupt = callback;
      return () => undefined;
    },
  });
};
const page = (seqs: readonly number[], next: string) => ({
  status: 200,
  body: { data: seqs.map((seq) => ({ seq })), paging: { next, hasMore: false }, warnings: [] },
});

it('events follow › prints an event a line until it is interrupted, and the cursor to go on with', async () => {
  answers = [page([1, 2], 'b'), page([3], 'c')];
  expect(await follow('--after', 'a')).toEqual({
    exitCode: 130,
    stdout: '{"seq":1}\n{"seq":2}\n{"seq":3}\n',
    stderr: 'Go on with --after c\n',
  });
  expect(urls.map((url) => new URLSearchParams(url?.split('?')[1]).get('after'))).toEqual(['a', 'b', 'c']);
});

it('events follow › 1 with the reason where the API refuses', async () => {
  answers = [{ status: 401, body: { code: 'unauthenticated', detail: 'Wrong keys.' } }];
  expect(await follow()).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'error: Wrong keys. Check --consumer-key and --user-key.\n',
  });
});

it('events follow › 1 with the cursor to go on with where the API refuses later', async () => {
  answers = [page([1], 'b'), { status: 401, body: { code: 'unauthenticated', detail: 'Wrong keys.' } }];
  expect(await follow()).toEqual({
    exitCode: 1,
    stdout: '{"seq":1}\n',
    stderr: 'Go on with --after b\nerror: Wrong keys. Check --consumer-key and --user-key.\n',
  });
});

it('events follow › 1 without a cursor where that has expired', async () => {
  answers = [{ status: 410, body: { code: 'cursor_expired', detail: 'Read all jobs again.' } }];
  expect(await follow('--after', 'a')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'error: Read all jobs again.\n',
  });
});

it('events follow › 2 without a company', async () => {
  expect((await runCli(['events', 'follow'])).exitCode).toBe(2);
});
