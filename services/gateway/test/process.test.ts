import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNats, type TestNats, waitFor } from '@joblisting/testing';
import type { ServedStandIns } from '@joblisting/testing/system';
import { getJob, unavailable } from '@joblisting/contracts';
import { ask } from './support/gateway.ts';
import {
  consumerKey,
  demoAccounts,
  keys,
  serveStandIn,
  standInAccounts,
  secretOf,
  userKey,
} from './support/stand-ins.ts';

const wrongKey = secretOf('user', 'wrong');
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
let nats: TestNats;
let accounts: ServedStandIns;
let jobs: ServedStandIns;

beforeAll(async () => {
  nats = await startNats();
  accounts = await standInAccounts(nats.url, demoAccounts());
  jobs = await serveStandIn(nats.url, getJob, async () => {
    throw unavailable('database_away');
  });
});
afterAll(async () => {
  await accounts.close();
  await jobs.close();
  await nats.stop();
});

/** Runs the gateway as a process of its own, as in production. */
function run(env: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, ['--conditions=@joblisting/source', main], {
    env: { NODE_NO_WARNINGS: '1', NATS_URL: nats.url, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => (output.out += chunk));
  child.stderr?.on('data', (chunk) => (output.err += chunk));
  const lines = () => output.out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return { child, output, lines, ended: once(child, 'exit') };
}

describe('the process', () => {
  it('logs a line for each request, without keys or queries, and ends on SIGTERM', async () => {
    const { child, output, lines, ended } = run({});
    const started = await waitFor(() => lines().find(({ msg }) => msg === 'listening'), {
      what: 'the start',
    });
    const basic = Buffer.from(`${consumerKey}:${userKey}`).toString('base64');
    const url = `${started.address}/v1.0/jobs/1?secret=query`;
    await ask(url, { headers: { ...keys, 'Request-Id': 'one' } });
    await ask(url, { headers: { Authorization: `Basic ${basic}`, 'Request-Id': 'two' } });
    await ask(url, { headers: { ...keys, 'User-API-Key': wrongKey, 'Request-Id': 'three' } });

    const logged = await waitFor(
      () => {
        const found = lines().filter(({ msg }) => msg === 'request');
        return found.length === 3 ? found : undefined;
      },
      { what: 'three lines' },
    );
    expect(logged[0]).toMatchObject({
      level: 30,
      service: 'gateway',
      requestId: 'one',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      operation: 'getJob',
      method: 'GET',
      path: '/v1.0/jobs/1',
      status: 503,
      outcome: 'unavailable',
      reason: 'database_away',
      durationMs: expect.any(Number),
      clientAddress: '127.0.0.1',
      consumerId: 7,
      userId: 70,
    });
    expect(logged.map(({ requestId, status }) => [requestId, status])).toEqual([
      ['one', 503],
      ['two', 503],
      ['three', 401],
    ]);
    for (const secret of [consumerKey, userKey, basic, wrongKey, 'secret=query']) {
      expect(output.out + output.err).not.toContain(secret);
    }
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('says in one line that the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const { output, ended } = run({ PORT: String(port) });
    const [code] = await ended;
    expect([code, output.err]).toEqual([1, '']);
    expect(JSON.parse(output.out)).toMatchObject({
      level: 60,
      msg: `The configuration is wrong: PORT ${port} on 127.0.0.1 is taken by another process`,
    });
    taken.close();
  });

  it('says which settings are wrong', async () => {
    const { output, ended } = run({ PORT: '70000', PUBLIC_URL: 'ftp://x', REQUEST_TIMEOUT_MS: '0' });
    const [code] = await ended;
    expect(code).toBe(1);
    for (const name of ['PORT', 'PUBLIC_URL', 'REQUEST_TIMEOUT_MS']) expect(output.out).toContain(name);
    expect(output.err).toBe('');
  });
});
