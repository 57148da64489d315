import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type GuardedMongo, makeCertificates, startGuardedMongod } from '@joblisting/testing';
import { createUsers, databases } from '../../../infra/mongodb/create-users.mjs';
import { DatabaseRefused } from '../src/database-errors.ts';
import { connectMongo, type Mongo } from '../src/mongo.ts';

const certificates = makeCertificates();
const passwords = mkdtempSync(join(tmpdir(), 'mongo-access-'));
const file = (name: string): string => join(passwords, name);
const passwordOf = (service: string): string => `test-${service}`;

let server: GuardedMongo;
const connections: Mongo[] = [];
const connect = async (database: string, user: string, password = passwordOf(user)): Promise<Mongo> => {
  const connection = await connectMongo(server.uri, database, { user, password, tlsCaFile: server.caFile });
  connections.push(connection);
  return connection;
};
const setUp = () =>
  createUsers({
    MONGODB_URI: server.uri,
    MONGODB_ADMIN_USER: server.admin.user,
    MONGODB_ADMIN_PASSWORD_FILE: file('admin'),
    MONGODB_TLS_CA_FILE: server.caFile,
    MONGODB_PASSWORDS: passwords,
  });

beforeAll(async () => {
  server = await startGuardedMongod(certificates);
  writeFileSync(file('admin'), `${server.admin.password}\n`);
  for (const service of databases) writeFileSync(file(`mongodb-password-${service}`), passwordOf(service));
  await setUp();
}, 120_000);
afterEach(async () => void (await Promise.all(connections.splice(0).map((one) => one.close()))));
afterAll(async () => {
  await server?.stop();
  rmSync(passwords, { recursive: true, force: true });
});

const denied = { codeName: 'Unauthorized' };

describe.each(databases)('the user of %s', (service) => {
  it('makes indexes, reads and writes in its own database, also in transactions', async () => {
    const mongo = await connect(service, service);
    const things = mongo.collection('things');
    await things.createIndex({ name: 1 }, { unique: true });
    await mongo.withSession((session) =>
      session.withTransaction(async () => {
        await things.insertOne({ name: service }, { session });
        await things.updateOne({ name: service }, { $inc: { count: 1 } }, { session });
      }),
    );
    expect(await things.findOne({ name: service })).toMatchObject({ count: 1 });
    await expect(mongo.db?.admin().ping()).resolves.toMatchObject({ ok: 1 });
  });

  it.each([...databases.filter((other) => other !== service), 'admin', 'local', 'config'])(
    'is refused on %s',
    async (other) => {
      const mongo = await connect(other, service);
      await expect(mongo.collection('things').findOne({})).rejects.toMatchObject(denied);
      await expect(mongo.collection('things').insertOne({})).rejects.toMatchObject(denied);
      await expect(mongo.collection('things').createIndex({ name: 1 })).rejects.toMatchObject(denied);
      await expect(mongo.dropDatabase()).rejects.toMatchObject(denied);
    },
  );

  it('makes no users, and sees no other database', async () => {
    const mongo = await connect(service, service);
    const command = { createUser: 'thief', pwd: 'any', roles: [] };
    await expect(mongo.db?.command(command)).rejects.toMatchObject(denied);
    const { databases: seen } = await mongo.listDatabases();
    expect(seen.map(({ name }) => name).filter((name) => name !== service)).toEqual([]);
  });
});

it.each([
  ['a wrong password', 'jobs', 'wrong'],
  ["another user's", 'jobs', passwordOf('metrics')],
  ['an unknown user', 'nobody', 'any'],
])('%s is told in a line', async (_what, user, password) => {
  const refusal: unknown = await connect('jobs', user, password).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DatabaseRefused);
  const line = `The database does not let in user ${user}: wrong password, or no such user.`;
  expect((refusal as Error).message).toBe(line);
});

it('nobody does anything without a user', async () => {
  const mongo = await connectMongo(server.uri, 'jobs', { tlsCaFile: server.caFile });
  connections.push(mongo);
  await expect(mongo.collection('things').findOne({})).rejects.toMatchObject({ code: 13 });
});

it('a password that was changed holds once the users are made again', async () => {
  writeFileSync(file('mongodb-password-jobs'), 'the next one');
  await setUp();
  await expect(connect('jobs', 'jobs')).rejects.toThrow(DatabaseRefused);
  await expect(connect('jobs', 'jobs', 'the next one')).resolves.toBeDefined();
});

it('changes nothing where a password is missing', async () => {
  rmSync(file('mongodb-password-metrics'));
  await expect(setUp()).rejects.toThrow('mongodb-password-metrics');
});

(certificates ? it : it.skip)(
  'a server with TLS is not talked to without knowing its authority',
  async () => {
    const access = { user: 'jobs', password: passwordOf('jobs') };
    await expect(connectMongo(server.uri, 'jobs', access)).rejects.toThrow();
    writeFileSync(file('stranger.pem'), makeCertificates()?.ca ?? '');
    const tlsCaFile = file('stranger.pem');
    await expect(connectMongo(server.uri, 'jobs', { ...access, tlsCaFile })).rejects.toThrow('certificate');
  },
);
