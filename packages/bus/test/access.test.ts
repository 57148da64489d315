import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { makeCertificates, startNats, type TestNats, waitFor } from '@joblisting/testing';
import { nkeys } from 'nats';
import { type Bus, type BusOptions, BusRefused, connectBus } from '../src/index.ts';
import { passwordOf, startGuardedNats, startNkeyNats } from './guarded-nats.ts';

const directory = mkdtempSync(join(tmpdir(), 'access-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const fileWith = (name: string, content: string): string => {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
};

const buses: Bus[] = [];
const connect = async (options: Partial<BusOptions> & { url: string }): Promise<Bus> => {
  const bus = await connectBus({ name: 'jobs', connectTimeoutMs: 20_000, ...options });
  buses.push(bus);
  return bus;
};
afterEach(async () => void (await Promise.all(buses.splice(0).map((bus) => bus.close()))));

describe('a bus with passwords', () => {
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startGuardedNats();
  });
  afterAll(() => nats.stop());

  it('lets in whoever has the password, by value or in a file', async () => {
    const passwordFile = fileWith('password', `${passwordOf('jobs')}\n`);
    const ways = [{ password: passwordOf('jobs') }, { passwordFile }];
    for (const way of ways) {
      const bus = await connect({ url: nats.url, user: 'jobs', ...way });
      await expect(bus.flush()).resolves.toBeUndefined();
    }
  });

  it.each([
    [
      'a wrong password',
      { user: 'jobs', password: 'wrong' },
      /user jobs: wrong password or key, or no such user\.$/,
    ],
    ["another user's", { user: 'jobs', password: passwordOf('metrics') }, /user jobs/],
    ['an unknown user', { user: 'nobody', password: 'any' }, /user nobody/],
    ['none', {}, /a connection without user/],
  ])('tells in a line that it refuses %s', async (_what, access, message) => {
    const refusal: unknown = await connect({ url: nats.url, ...access }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(BusRefused);
    expect((refusal as Error).message).toMatch(message);
    expect((refusal as Error).message).not.toMatch(/\n|wrong$|test-/);
  });

  it('is asked with the password that the file has by then', async () => {
    const passwordFile = fileWith('rotated', passwordOf('jobs'));
    const onDenied = jest.fn();
    const bus = await connect({ url: nats.url, user: 'jobs', passwordFile, onDenied });
    fileWith('rotated', 'the next one, which the server does not know yet');
    await nats.restart();
    await waitFor(() => onDenied.mock.calls.length > 0, { limitMs: 20_000, what: 'the refusal' });
    expect(onDenied.mock.calls).toEqual([[{ operation: 'connection', subject: 'AUTHORIZATION_VIOLATION' }]]);
    expect(bus.isConnected()).toBe(false);
    fileWith('rotated', passwordOf('jobs'));
    await waitFor(() => bus.isConnected(), { limitMs: 20_000, what: 'the connection' });
  });
});

describe('a bus with nkeys', () => {
  let nats: TestNats;
  const pair = nkeys.createUser();
  const text = (seed: Uint8Array): string => new TextDecoder().decode(seed);
  beforeAll(async () => {
    nats = await startNkeyNats('jobs', pair.getPublicKey());
  });
  afterAll(() => nats.stop());

  it('lets in whoever has the seed, as who it is', async () => {
    const bus = await connect({ url: nats.url, nkeySeedFile: fileWith('seed', `${text(pair.getSeed())}\n`) });
    await bus.flush();
    expect(bus.deniedSubscriptions()).toEqual([]);
  });

  it('refuses another key', async () => {
    const seed = text(nkeys.createUser().getSeed());
    await expect(connect({ url: nats.url, nkeySeedFile: fileWith('foreign', seed) })).rejects.toThrow(
      'The bus rejected this nkey',
    );
  });
});

const certificates = makeCertificates();
if (!certificates) process.stderr.write('\nSkipped: TLS on the bus, for want of openssl 3.\n');

(certificates ? describe : describe.skip)('a bus with TLS', () => {
  let nats: TestNats;
  let plain: TestNats;
  const { ca = '', certificate = '', key = '' } = certificates ?? {};
  const own = () => ({
    tlsCertFile: fileWith('own.pem', certificate),
    tlsKeyFile: fileWith('own.key', key),
  });
  beforeAll(async () => {
    nats = await startNats({
      lines: (at) =>
        `tls { cert_file: "${at}/server.pem", key_file: "${at}/server.key", ca_file: "${at}/ca.pem", verify: true }`,
      files: { 'server.pem': certificate, 'server.key': key, 'ca.pem': ca },
    });
    plain = await startNats();
  });
  afterAll(() => Promise.all([nats.stop(), plain.stop()]));

  it('takes who knows the authority and has a certificate of it', async () => {
    const bus = await connect({ url: nats.url, tlsCaFile: fileWith('ca.pem', ca), ...own() });
    await expect(bus.flush()).resolves.toBeUndefined();
  });

  it('is not trusted by who does not know its authority', async () => {
    const stranger = makeCertificates();
    const tlsCaFile = fileWith('stranger.pem', stranger?.ca ?? '');
    for (const tls of [{ tlsCaFile }, {}]) {
      await expect(connect({ url: nats.url, ...own(), ...tls })).rejects.toThrow(BusRefused);
    }
  });

  it('does not let in who has no certificate', async () => {
    // The server says so after the handshake (TLS 1.3), by closing the connection.
    const without = { url: nats.url, tlsCaFile: fileWith('ca.pem', ca), connectTimeoutMs: 2000 };
    await expect(connect(without)).rejects.toThrow();
  });

  it('is asked for: a server without is refused', async () => {
    await expect(connect({ url: plain.url, tlsCaFile: fileWith('ca.pem', ca) })).rejects.toThrow(
      'TLS is asked for, and the server has none',
    );
  });
});
