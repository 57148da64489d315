import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, guard, waitFor } from '@joblisting/testing';
import { adminUri, dataDirectory, insert, portOf, serverBinaries, startStubs } from './stubs/system.ts';

const count = async (uri: string, database: string, password?: string): Promise<number> => {
  const auth = password === undefined ? {} : { auth: { username: 'jobs', password } };
  const client = new mongoose.mongo.MongoClient(uri, auth);
  try {
    return await client.db(database).collection('things').countDocuments();
  } finally {
    await client.close();
  }
};

/** Data of a release without passwords, with one document in it. */
async function makeEarlierData(dataDir: string, port: number): Promise<void> {
  const dbpath = join(dataDir, 'mongodb');
  mkdirSync(dbpath);
  writeFileSync(join(dataDir, 'ports.json'), JSON.stringify({ mongod: port }));
  const options = { replSet: 'rs0', dbpath, port: String(port), bind_ip: '127.0.0.1' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const mongod = spawn(serverBinaries['mongod'] ?? '', args, { stdio: 'ignore' });
  const guarded = guard(mongod.pid ?? 0);
  const client = new mongoose.mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
  const initiate = { replSetInitiate: { _id: 'rs0', members } };
  await waitFor(() => client.db('admin').command(initiate), { what: 'mongod' });
  await client.close();
  await insert(`mongodb://127.0.0.1:${port}/?replicaSet=rs0`);
  mongod.kill('SIGKILL');
  await once(mongod, 'exit');
  guarded.close();
}

describe('users of MongoDB', () => {
  let data: ReturnType<typeof dataDirectory>;
  beforeEach(() => {
    data = dataDirectory();
  });
  afterEach(() => data.remove());

  it('gives each service its own database of MongoDB, and rejects others', async () => {
    const system = await startStubs(data.path);
    await system.ready();
    const { uri = '' } = system.runJson()['mongod'] ?? {};
    const answer = await fetch(`http://127.0.0.1:${system.runJson()['jobs']?.port}/env`);
    const passwordFile = join(data.path, 'secrets', 'mongodb-password-jobs');
    expect(await answer.json()).toMatchObject({
      MONGODB_USER: 'jobs',
      MONGODB_PASSWORD_FILE: passwordFile,
    });
    const password = readFileSync(passwordFile, 'utf8');
    await expect(count(uri, 'jobs', password)).resolves.toBe(0);
    await expect(count(uri, 'accounts', password)).rejects.toMatchObject({ codeName: 'Unauthorized' });
    await expect(count(uri, 'jobs')).rejects.toMatchObject({ codeName: 'Unauthorized' });
    await system.end('SIGINT');
  });

  it('changes a password whose file was removed', async () => {
    const first = await startStubs(data.path);
    await first.ready();
    await first.end('SIGINT');
    const passwordFile = join(data.path, 'secrets', 'mongodb-password-jobs');
    const before = readFileSync(passwordFile, 'utf8');
    rmSync(passwordFile);
    const second = await startStubs(data.path);
    await second.ready();
    const { uri = '' } = second.runJson()['mongod'] ?? {};
    await expect(count(uri, 'jobs', before)).rejects.toMatchObject({ codeName: 'AuthenticationFailed' });
    await expect(count(uri, 'jobs', readFileSync(passwordFile, 'utf8'))).resolves.toBe(0);
    await second.end('SIGINT');
  });

  it.each(['is free', 'is in use'])(
    'adds users to the data of an earlier release whose port %s',
    async (state) => {
      const port = await freePort();
      await makeEarlierData(data.path, port);
      const other = createServer((socket) => void socket.destroy());
      if (state === 'is in use') await once(other.listen(port, '127.0.0.1'), 'listening');
      const system = await startStubs(data.path);
      await system.ready();
      const { uri = '' } = system.runJson()['mongod'] ?? {};
      expect(portOf(uri) === port).toBe(state === 'is free');
      await expect(count(uri, 'kept')).rejects.toMatchObject({ codeName: 'Unauthorized' });
      await expect(insert(adminUri(system.runJson()))).resolves.toBe(2);
      await system.end('SIGINT');
      other.close();
    },
  );

  it('says in one line that the password of the administrator was lost', async () => {
    const first = await startStubs(data.path);
    await first.ready();
    await first.end('SIGINT');
    rmSync(join(data.path, 'secrets', 'mongodb-password-admin'));
    const second = await startStubs(data.path);
    await expect(second.ended).resolves.toBe(1);
    expect(second.output().split('\n').at(-2)).toMatch(/^MongoDB refuses the password of admin /);
  });
});
