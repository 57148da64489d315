import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, waitFor } from '@joblisting/testing';
import { clamdAt } from '../src/clients/clamd.ts';

const SIGNATURE = 'SIGNATURE-OF-THE-TEST';

/** Where clamd is installed (Debian: clamav-daemon); undefined if it is not. */
function findClamd(): string | undefined {
  if (process.env['CLAMD_BIN']) return process.env['CLAMD_BIN'];
  try {
    return execFileSync('which', ['clamd'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

const clamd = findClamd();
const describeIfInstalled = clamd === undefined ? describe.skip : describe;

describeIfInstalled('clamd itself', () => {
  let folder: string;
  let port: number;
  let daemon: ChildProcess;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'clamd-'));
    port = await freePort();
    const hex = Buffer.from(SIGNATURE).toString('hex');
    writeFileSync(join(folder, 'test.ndb'), `Test.Signature:0:*:${hex}\n`);
    const settings = [
      'Foreground yes',
      'TCPAddr 127.0.0.1',
      `TCPSocket ${port}`,
      `DatabaseDirectory ${folder}`,
      `TemporaryDirectory ${folder}`,
    ];
    writeFileSync(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`);
    daemon = spawn(clamd ?? '', ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' });
    const canConnect = () =>
      new Promise<boolean>((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port }, () => resolve(true)).once('error', reject);
        socket.once('connect', () => socket.destroy());
      });
    await waitFor(canConnect, { limitMs: 30_000, what: 'clamd to listen' });
  }, 40_000);
  afterAll(() => {
    daemon.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it('finds a signature across chunks of a stream, and nothing in a clean one', async () => {
    const scan = clamdAt(`tcp://127.0.0.1:${port}`, 10_000);
    const filler = Buffer.alloc(64 * 1024 - 5, 'x');
    expect(await scan(Buffer.concat([filler, Buffer.from(SIGNATURE)]))).toBe('infected');
    expect(await scan(filler)).toBe('clean');
    expect(await scan(Buffer.alloc(5 * 1024 ** 2, 'y'))).toBe('clean');
  });
});
