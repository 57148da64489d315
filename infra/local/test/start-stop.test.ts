import { existsSync, readFileSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { BusRefused, connectBus } from '@joblisting/bus';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '@joblisting/service-kit/node-flags';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startNats, testMongoUri, waitFor } from '@joblisting/testing';
import {
  adminUri,
  dataDirectory,
  insert,
  isAlive,
  pidsOf,
  portOf,
  startStubs,
  startStubsByNpm,
} from './stubs/system.ts';

/** Uses a port until the test ends. */
async function occupy(port: number): Promise<number> {
  const server = createServer((socket) => void socket.destroy()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  occupiers.push(server);
  return (server.address() as AddressInfo).port;
}

const occupiers: Server[] = [];

describe('start and stop', () => {
  let data: ReturnType<typeof dataDirectory>;
  beforeEach(() => {
    data = dataDirectory();
  });
  afterEach(() => {
    for (const server of occupiers.splice(0)) server.close();
    data.remove();
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends everything on %s', async (signal) => {
    const system = await startStubs(data.path);
    await system.ready();
    const pids = pidsOf(system.runJson());
    await expect(system.end(signal)).resolves.toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(existsSync(join(data.path, 'run.json'))).toBe(false);
    const log = readFileSync(join(data.path, 'logs', 'start.log'), 'utf8');
    expect(log).toContain(`"msg":"stopping after ${signal}"`);
  });

  it('ends everything when its parent has ended', async () => {
    const system = await startStubs(data.path);
    await system.ready();
    const pids = pidsOf(system.runJson());
    system.process.disconnect();
    await expect(system.ended).resolves.toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('ends everything when npm was killed', async () => {
    const system = await startStubsByNpm(data.path);
    await system.ready();
    const pids = pidsOf(system.runJson());
    await system.end('SIGKILL');
    await waitFor(() => !pids.some(isAlive), { what: 'everything to end' });
    expect(system.output()).toContain('Stopping');
  });

  it('runs services with their own flags and environment', async () => {
    const system = await startStubs(data.path);
    await system.ready();
    const answer = await fetch(`http://127.0.0.1:${system.port}/flags`);
    const flags = (await answer.json()) as string[];
    expect(flags).toEqual(expect.arrayContaining([...NODE_FLAGS]));
    const environment = await fetch(`http://127.0.0.1:${system.port}/env`);
    await expect(environment.json()).resolves.toMatchObject(NODE_ENVIRONMENT);
    await system.end('SIGTERM');
  });

  it('ends everything when it is stopped while it starts', async () => {
    const system = await startStubs(data.path);
    await waitFor(() => system.runJson()['mongod'], { what: 'mongod' });
    const pids = pidsOf(system.runJson());
    await expect(system.end('SIGINT')).resolves.toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('keeps the data and the addresses for the next start', async () => {
    const first = await startStubs(data.path);
    await first.ready();
    const before = first.runJson();
    await insert(adminUri(before));
    await first.end('SIGINT');
    const second = await startStubs(data.path);
    await second.ready();
    const after = second.runJson();
    expect(after['mongod']?.uri).toBe(before['mongod']?.uri);
    expect(after['nats']?.url).toBe(before['nats']?.url);
    await expect(insert(adminUri(after))).resolves.toBe(2);
    await second.end('SIGINT');
  });

  it('gives each service and the operator a password for the bus, and rejects others', async () => {
    const system = await startStubs(data.path);
    await system.ready();
    const { url = '', user, passwordFile } = system.runJson()['nats'] ?? {};
    await expect(connectBus({ url, name: 'stranger' })).rejects.toThrow(BusRefused);
    const operator = await connectBus({ url, name: 'operator', user, passwordFile });
    await operator.close();
    const answer = await fetch(`http://127.0.0.1:${system.runJson()['jobs']?.port}/env`);
    expect(await answer.json()).toMatchObject({
      NATS_USER: 'jobs',
      NATS_PASSWORD_FILE: join(data.path, 'secrets', 'nats-jobs'),
    });
    await system.end('SIGINT');
  });

  it('gives the services a folder for mails that only its owner may read', async () => {
    const system = await startStubs(data.path, { MAIL: '/var/mail/ann' });
    await system.ready();
    const answer = await fetch(`http://127.0.0.1:${system.runJson()['jobs']?.port}/env`);
    const directory = join(data.path, 'mail');
    expect(await answer.json()).toMatchObject({ MAIL: 'on', MAIL_DIR: directory });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    await system.end('SIGINT');
  });

  it('moves the replica set when another program uses its port', async () => {
    const first = await startStubs(data.path);
    await first.ready();
    const { uri = '' } = first.runJson()['mongod'] ?? {};
    await insert(adminUri(first.runJson()));
    await first.end('SIGINT');
    const other = await occupy(portOf(uri));
    const second = await startStubs(data.path);
    await second.ready();
    const moved = second.runJson()['mongod']?.uri ?? '';
    expect(portOf(moved)).not.toBe(other);
    await expect(insert(adminUri(second.runJson()))).resolves.toBe(2);
    await second.end('SIGINT');
  });

  it('leaves nothing behind when it is killed, and starts again', async () => {
    const killed = await startStubs(data.path);
    await killed.ready();
    const pids = pidsOf(killed.runJson());
    await killed.end('SIGKILL');
    const next = await startStubs(data.path);
    await next.ready();
    await waitFor(() => pids.filter(isAlive).length === 0, { what: 'the orphans to end' });
    await next.end('SIGINT');
  });

  it('uses external servers and leaves them running', async () => {
    const nats = await startNats();
    const system = await startStubs(data.path, { MONGODB_URI: testMongoUri(), NATS_URL: nats.url });
    await system.ready();
    expect(system.runJson()).toMatchObject({
      mongod: { pid: null, uri: testMongoUri() },
      nats: { pid: null, url: nats.url },
    });
    await system.end('SIGINT');
    const again = await startStubs(data.path, { MONGODB_URI: testMongoUri(), NATS_URL: nats.url });
    await again.ready();
    await again.end('SIGINT');
    await nats.stop();
  });

  it('names a port in use in one line and leaves nothing running', async () => {
    const used = await occupy(0);
    const system = await startStubs(data.path, { PORT: String(used) });
    await expect(system.ended).resolves.toBe(1);
    expect(system.output()).toBe(
      `Port ${system.port} on 127.0.0.1 is in use: stop the other program, or set PORT to another port.\n`,
    );
    expect(existsSync(join(data.path, 'run.json'))).toBe(false);
    expect(existsSync(join(data.path, 'lock.json'))).toBe(false);
  });

  it.each([
    [{ PORT: 'http' }, /^PORT is "http": expected a whole number from 1 to 65535\.$/],
    [{ NATS_URL: 'nats://127.0.0.1:9' }, /^NATS_URL cannot be used: no NATS server answers there\.$/],
    [{ MONGOD_BIN: '/nowhere/mongod' }, /^\/nowhere\/mongod could not start \(ENOENT\)\.$/],
    [
      { STUB_FAULT: 'gateway: a setting is wrong' },
      /^gateway ended with code 1: a setting is wrong \(.*gateway\.log\)$/,
    ],
  ])('explains %j in one line and leaves nothing running', async (environment, message) => {
    const system = await startStubs(data.path, environment);
    await expect(system.ended).resolves.toBe(1);
    // Lines about slow steps may come before it.
    expect(system.output().split('\n').at(-2)).toMatch(message);
    expect(existsSync(join(data.path, 'lock.json'))).toBe(false);
    expect(existsSync(join(data.path, 'run.json'))).toBe(false);
  });
});
