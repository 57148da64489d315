import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificates } from '../certificates.ts';
import { freePort } from '../free-port.ts';
import { waitFor } from '../wait-for.ts';
import { serverBinary } from './binaries.ts';
import { guard } from './guard.ts';
import type { TestMongo } from './test-mongo.ts';

/** A MongoDB that lets in its users only. */
export type GuardedMongo = TestMongo & {
  /** One who may make users. */
  readonly admin: { readonly user: string; readonly password: string };
  /** PEM file with the authority of its certificate, where it speaks TLS alone. */
  readonly caFile: string | undefined;
};

const readyLimitMs = 60_000;
const admin = { user: 'admin', password: 'test-admin' };

/** Runs the local mongod as a replica set of one with users, and with TLS where there are certificates for it. */
export async function startGuardedMongod(certificates?: Certificates): Promise<GuardedMongo> {
  const directory = await mkdtemp(join(tmpdir(), 'guarded-mongod-'));
  const write = async (name: string, content: string): Promise<string> => {
    await writeFile(join(directory, name), content, { mode: 0o600 });
    return join(directory, name);
  };
  const port = await freePort();
  const caFile = certificates && (await write('ca.pem', certificates.ca));
  const options = {
    replSet: 'rs0',
    dbpath: directory,
    port: String(port),
    bind_ip: '127.0.0.1',
    keyFile: await write('key', randomBytes(64).toString('base64')),
    logpath: join(directory, 'mongod.log'),
    wiredTigerCacheSizeGB: '0.25',
    networkMessageCompressors: 'disabled',
    ...(certificates &&
      caFile && {
        tlsMode: 'requireTLS',
        tlsCAFile: caFile,
        tlsCertificateKeyFile: await write('server.pem', certificates.certificate + certificates.key),
      }),
  };
  const flags = [
    '--nounixsocket',
    '--quiet',
    ...(caFile ? ['--tlsAllowConnectionsWithoutCertificates'] : []),
  ];
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(serverBinary('mongod'), [...args, ...flags], { stdio: 'ignore' });
  const guarded = child.pid === undefined ? undefined : guard(child.pid);
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    guarded?.close();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await waitFor(() => makeAdmin(port, caFile), {
      limitMs: readyLimitMs,
      everyMs: 50,
      what: 'mongod with users',
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { uri: `mongodb://127.0.0.1:${port}/?replicaSet=rs0`, admin, caFile, stop };
}

/** Until there is a user, whoever is on the same machine may make one. True once it is done. */
async function makeAdmin(port: number, caFile: string | undefined): Promise<boolean> {
  const { mongo } = await import('mongoose');
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1000,
    ...(caFile && { tls: true, tlsCAFile: caFile }),
  });
  try {
    const database = (await client.connect()).db('admin');
    const hello = await database.command({ hello: 1 });
    if (hello['isWritablePrimary'] !== true) {
      const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
      if (!hello['setName']) await database.command({ replSetInitiate: { _id: 'rs0', members } });
      return false;
    }
    await database.command({ createUser: admin.user, pwd: admin.password, roles: ['root'] });
    return true;
  } finally {
    await client.close();
  }
}
