import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createLink, getJob } from '@joblisting/contracts';
import { startNats, type TestNats, waitFor } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { endpoint, ownCall, type ServiceDefinition, startService } from '../src/index.ts';

/** A service that may serve its own operation, and neither serve nor call another one. */
const users = `authorization { users: [ { user: "a-service", password: "secret-word", permissions: {
  publish: { deny: ["jobs.>"] }
  subscribe: { deny: ["jobs.>"] }
} } ] }`;

const directory = mkdtempSync(join(tmpdir(), 'bus-access-'));
const passwordFile = join(directory, 'password');
let nats: TestNats;
beforeAll(async () => {
  nats = await startNats(users);
  writeFileSync(passwordFile, 'secret-word\n');
});
afterAll(async () => {
  await nats.stop();
  rmSync(directory, { recursive: true });
});

/** A log that a test reads, as a person would. */
function readableLog() {
  let text = '';
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  return { log: pino(sink), text: () => text };
}

function start(operations: readonly (typeof createLink | typeof getJob)[], more: NodeJS.ProcessEnv = {}) {
  const { log, text } = readableLog();
  const definition: ServiceDefinition<unknown> = {
    name: 'a-service',
    description: 'for tests',
    config: {},
    mongo: false,
    create: () => ({
      endpoints: operations.map((operation) => endpoint(operation, async () => ({ data: {} as never }), log)),
    }),
  };
  const env = { NATS_URL: nats.url, NATS_USER: 'a-service', NATS_PASSWORD_FILE: passwordFile, ...more };
  return { starting: startService(definition, { env, log }), text };
}

describe('a service on a bus with users', () => {
  it('is ready where its user has the permissions it needs', async () => {
    const service = await start([createLink]).starting;
    expect(await service.notReady()).toBeUndefined();
    await service.stop();
  });

  it('is not ready, and says why, where its user may not subscribe', async () => {
    const { starting, text } = start([createLink, getJob]);
    const service = await starting;
    await waitFor(async () => (await service.notReady()) !== undefined, {
      limitMs: 5000,
      what: 'the denial',
    });
    expect(await service.notReady()).toBe('the bus does not permit to listen to jobs.v1.get');
    expect(text()).toContain('"subject":"jobs.v1.get","msg":"the bus denies this user a subscription"');
    await service.stop();
  });

  it('logs a request that its user may not send', async () => {
    const { starting, text } = start([]);
    const service = await starting;
    const request = service.bus.request(getJob, { params: { id: 1 }, context: ownCall(60_000) });
    await expect(request).rejects.toMatchObject({ code: 'unavailable' });
    expect(text()).toContain('"subject":"jobs.v1.get","msg":"the bus denies this user a publish"');
    await service.stop();
  });

  it('logs one line without the password when the bus refuses it, and retries', async () => {
    writeFileSync(passwordFile, 'wrong-word');
    const { starting, text } = start([createLink]);
    await waitFor(() => text() !== '', { limitMs: 10_000, what: 'the line' });
    expect(text()).toContain('The bus rejected user a-service: wrong password or key, or no such user.');
    expect(text()).not.toMatch(/-word|stack/);
    writeFileSync(passwordFile, 'secret-word');
    const service = await starting;
    expect(text().match(/The bus rejected/g)).toHaveLength(1);
    await service.stop();
  });

  it('does not start with a missing password file', async () => {
    const { starting } = start([createLink], { NATS_PASSWORD_FILE: join(directory, 'missing') });
    await expect(starting).rejects.toThrow('NATS_PASSWORD_FILE names a file that cannot be read: ENOENT');
  });
});
