import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from './support/run-cli.ts';

let server: Server;
let requests: { readonly line: string; readonly body: unknown }[];
let answer: { readonly status: number; readonly body?: object };

beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      const text = Buffer.concat(await request.toArray()).toString();
      requests.push({
        line: `${request.method} ${request.url}`,
        body: text === '' ? undefined : JSON.parse(text),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.body && JSON.stringify(answer.body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
});

const webhook = (...args: string[]) => {
  const { port } = server.address() as AddressInfo;
  const keys = ['--company', '1', '--consumer-key', 'c', '--user-key', 'u'];
  return runCli(['webhook', ...args, '--base-url', `http://127.0.0.1:${port}`, ...keys]);
};
const answers = (data: unknown, status = 200) => {
  answer = { status, body: { data, warnings: [], paging: { page: 1, pageSize: 20, total: 1, next: null } } };
};
const attempt = {
  id: '1',
  event: { id: 'job:7:2', type: 'job.updated' },
  at: '2026-11-25T12:00:00.000Z',
  status: 503,
  durationMs: 12,
  outcome: 'refused',
  nextAttemptAt: '2026-11-25T12:00:05.000Z',
};

describe('webhook list', () => {
  it('shows state, waiting events and address', async () => {
    const url = 'https://jobs.example.com/hook';
    answers([{ id: 3, state: 'disabled', disabledReason: 'gone', pending: 2, types: ['*'], url }]);
    const { exitCode, stdout } = await webhook('list');
    expect([exitCode, stdout]).toEqual([
      0,
      `id  state            waiting  types  address\n3   disabled (gone)  2        *      ${url}\n`,
    ]);
    expect(requests).toEqual([{ line: 'GET /v1.0/webhooks?company.id=1', body: undefined }]);
  });
});

describe('webhook create', () => {
  it('registers the address and prints the secret', async () => {
    answers({ id: 3, secret: 'whsec_x' }, 201);
    const { stdout } = await webhook('create', 'https://a.example/', '--types', 'job.created,job.closed');
    expect(stdout).toBe('Webhook 3 is registered. Its secret: whsec_x\n');
    expect(requests).toEqual([
      {
        line: 'POST /v1.0/webhooks',
        body: { company: { id: 1 }, url: 'https://a.example/', types: ['job.created', 'job.closed'] },
      },
    ]);
  });

  it('1 with the reason where the API refuses it', async () => {
    const errors = [{ pointer: '#/url', code: 'not_allowed', detail: 'url must be a public address.' }];
    answer = { status: 422, body: { code: 'validation_failed', detail: 'One rule is broken.', errors } };
    const { exitCode, stderr } = await webhook('create', 'https://10.0.0.1/');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('One rule is broken.')]);
  });
});

describe('webhook test', () => {
  it('says what became of it', async () => {
    answers({ ...attempt, outcome: 'delivered', status: 204 });
    expect((await webhook('test', '3')).stdout).toBe('delivered, 204, 12 ms\n');
    expect(requests.map(({ line }) => line)).toEqual(['POST /v1.0/webhooks/3/test']);
  });
});

describe('webhook attempts', () => {
  it('shows the last ones', async () => {
    answers([attempt]);
    const { stdout } = await webhook('attempts', '3');
    expect(stdout.split('\n')[1]).toBe(
      '2026-11-25T12:00:00.000Z  job.updated job:7:2  refused  503     12  2026-11-25T12:00:05.000Z',
    );
  });
});

describe('webhook replay', () => {
  it('sends the events after a cursor again', async () => {
    answers({ events: 20 }, 202);
    expect((await webhook('replay', '3', '--after', 'x')).stdout).toBe('20 events are sent again.\n');
    expect(requests).toEqual([{ line: 'POST /v1.0/webhooks/3/replay', body: { after: 'x' } }]);
  });

  it('2 without a cursor or a time', async () => {
    expect((await webhook('replay', '3')).exitCode).toBe(2);
    expect(requests).toEqual([]);
  });
});

describe('webhook rotate', () => {
  it('prints the new secret', async () => {
    answers({ id: 3, secret: 'whsec_y' });
    expect((await webhook('rotate', '3')).stdout).toBe('The new secret: whsec_y\n');
  });
});

describe('webhook delete', () => {
  it('says that it is done', async () => {
    answer = { status: 204 };
    expect((await webhook('delete', '3')).stdout).toBe('Webhook 3 is deleted.\n');
    expect(requests.map(({ line }) => line)).toEqual(['DELETE /v1.0/webhooks/3']);
  });
});
