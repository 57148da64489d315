import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startMongo, type TestMongo } from '@joblisting/testing';
import { mongo } from 'mongoose';
import { backUp } from '../../../infra/operations/backup-mongodb.mjs';
import { restore } from '../../../infra/operations/restore-mongodb.mjs';

const { Double, Int32, Long } = mongo;
const typed = { int: new Int32(1), double: new Double(1), long: Long.fromNumber(1), at: new Date(0) };

let server: TestMongo;
let client: mongo.MongoClient;
let folder: string;

beforeAll(async () => {
  server = await startMongo();
  client = await new mongo.MongoClient(server.uri).connect();
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
  const jobs = client.db('jobs');
  await jobs.collection('jobs').insertMany(Array.from({ length: 2500 }, (_, n) => ({ n, ...typed })));
  await jobs.collection('jobs').createIndex({ n: 1 }, { unique: true, name: 'n' });
  await jobs.collection<{ _id: string; next: number }>('counters').insertOne({ _id: 'jobs', next: 101 });
  await client
    .db('metrics')
    .collection<{ _id: number; views: number }>('counters')
    .insertOne({ _id: 7, views: 3 });
}, 60_000);

afterAll(async () => {
  await client?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const raw = () =>
  client.db('jobs').collection('jobs').find({}, { promoteValues: false }).sort({ n: 1 }).toArray();

describe('a backup of MongoDB', () => {
  it('comes back with types and indexes, and ids ahead of those that were given', async () => {
    const before = await raw();
    const { counts } = await backUp(client, join(folder, 'one'));
    await client.db('jobs').collection('jobs').deleteMany({});

    await expect(restore(client, join(folder, 'one'))).rejects.toThrow('The database jobs is not empty');
    await expect(restore(client, join(folder, 'one'), { drop: true, idsAhead: 1000 })).resolves.toEqual(
      counts,
    );

    expect(counts['jobs.jobs']).toBe(2500);
    expect(await raw()).toEqual(before);
    expect(await client.db('jobs').collection('jobs').indexes()).toContainEqual(
      expect.objectContaining({ name: 'n', unique: true }),
    );
    expect(await client.db('jobs').collection('counters').findOne()).toEqual({ _id: 'jobs', next: 1101 });
    expect(await client.db('metrics').collection('counters').findOne()).toEqual({ _id: 7, views: 3 });
  }, 60_000);

  it('is not written over another one', async () => {
    await expect(backUp(client, join(folder, 'one'))).rejects.toThrow('EEXIST');
  });

  it('gets the folders above it', async () => {
    await backUp(client, join(folder, 'a', 'b', 'three'));
    await expect(restore(client, join(folder, 'a', 'b', 'three'), { drop: true })).resolves.toBeDefined();
  });

  it.each<[how: string, damage: (backup: string) => Promise<void>, message: string]>([
    ['cut off', (backup) => truncate(join(backup, 'jobs', 'jobs.bson'), 1000), 'ends within a document'],
    ['without a database', (backup) => rm(join(backup, 'metrics'), { recursive: true }), 'ENOENT'],
    ['without indexes', (backup) => rm(join(backup, 'jobs', 'jobs.metadata.json')), 'ENOENT'],
    [
      'with fewer documents',
      (backup) => truncate(join(backup, 'jobs', 'jobs.bson'), 0),
      'jobs.jobs has 0 of its 2500 documents',
    ],
  ])('that is %s removes nothing', async (how, damage, message) => {
    const backup = join(folder, how.replaceAll(' ', '-'));
    await backUp(client, backup);
    await damage(backup);
    await expect(restore(client, backup, { drop: true })).rejects.toThrow(message);
    expect(await client.db('jobs').collection('jobs').countDocuments()).toBe(2500);
    expect(await client.db('metrics').collection('counters').countDocuments()).toBe(1);
  });
});

describe('the scripts', () => {
  it.each(['backup-mongodb.mjs', 'restore-mongodb.mjs'])('%s --help shows how to use it', async (script) => {
    const path = fileURLToPath(new URL(`../../../infra/operations/${script}`, import.meta.url));
    const args = ['--conditions=@joblisting/source', path, '--help'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    expect(stdout).toMatch(/^usage: /);
    await expect(stat(join(folder, '--help'))).rejects.toThrow('ENOENT');
  });
});
