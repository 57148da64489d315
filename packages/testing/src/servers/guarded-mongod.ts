import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificates } from '../certificates.ts';
import { freePort } from '../free-port.ts';
import { waitFor } from '../wait-for.ts';
import { serverBinary } from './binaries.ts';
import { killNow } from './child-process.ts';
import { guard } from './guard.ts';
import type { TestMongo } from './mongod-process.ts';

/** A MongoDB with access control. */
export type GuardedMongo = TestMongo & {
  /** A user that may create others. */
  readonly admin: { readonly user: string; readonly password: string };
  /** PEM file with the authority of its certificate; undefined without TLS. */
  readonly caFile: string | undefined;
};

const READY_LIMIT_MS = 60_000;
const ADMIN = { user: 'admin', password: 'test-admin' };

/** Runs the local mongod as a replica set of one with access control, and with TLS if given certificates. */
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
    await killNow(child);
    guarded?.close();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await waitFor(() => createAdmin(port, caFile), {
      limitMs: READY_LIMIT_MS,
      everyMs: 50,
      what: 'mongod with users',
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { uri: `mongodb://127.0.0.1:${port}/?replicaSet=rs0`, admin: ADMIN, caFile, stop };
}

/** Creates the first user, which mongod allows from localhost. False until the server can do it. */
async function createAdmin(port: number, caFile: string | undefined): Promise<boolean> {
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
    await database.command({ createUser: ADMIN.user, pwd: ADMIN.password, roles: ['root'] });
    return true;
  } finally {
    await client.close();
  }
}
