import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { adminUri, dataDirectory, isAlive, pidsOf, startStubs, type StubSystem } from './stubs/system.ts';

const offset = 3_600_000;

describe('a running system', () => {
  const data = dataDirectory();
  let system: StubSystem;
  beforeAll(async () => {
    system = await startStubs(data.path, { CLOCK_OFFSET_MS: String(offset) });
    await system.ready();
  });
  afterAll(async () => {
    await system.end('SIGKILL');
    data.remove();
  });

  const expectRestart = async (name: string): Promise<void> => {
    const { pid } = system.runJson()[name] ?? { pid: 0 };
    process.kill(pid, 'SIGKILL');
    await waitFor(() => system.output().includes(`${name} is back`), { what: `${name} to be back` });
    expect(system.output()).toContain(`${name} ended with SIGKILL; restarting it on its data`);
    const now = system.runJson()[name]?.pid ?? 0;
    expect(now).not.toBe(pid);
    expect(isAlive(now)).toBe(true);
  };

  it('lists each process except the supervisor in run.json', () => {
    const run = system.runJson();
    expect(Object.keys(run).toSorted()).toEqual(['gateway', 'jobs', 'mongod', 'nats']);
    expect(run['gateway']).toEqual({ pid: expect.any(Number), port: system.port });
    expect(run['mongod']?.uri).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/\?replicaSet=rs0$/);
    expect(run['nats']?.url).toMatch(/^nats:\/\/127\.0\.0\.1:\d+$/);
    expect(pidsOf(run).every(isAlive)).toBe(true);
    expect(pidsOf(run)).not.toContain(system.process.pid);
  });

  it('configures services by environment', async () => {
    const run = system.runJson();
    const answer = await fetch(`http://127.0.0.1:${run['jobs']?.port}/env`);
    expect(await answer.json()).toMatchObject({
      NATS_URL: run['nats']?.url,
      MONGODB_URI: run['mongod']?.uri,
      CLOCK_OFFSET_MS: String(offset),
      PUBLIC_URL: `http://localhost:${system.port}`,
      HEALTH_PORT: String(run['jobs']?.port),
    });
  });

  it('shows warnings of a service and no lower level', async () => {
    await fetch(`http://127.0.0.1:${system.port}/warn`);
    await waitFor(() => system.output().includes('gateway warning: a stub warns'), { what: 'the warning' });
    expect(system.output()).not.toContain('a stub is up');
  });

  it('restarts a service that died, and logs that', async () => {
    await expectRestart('jobs');
    const lines = readFileSync(join(data.path, 'logs', 'start.log'), 'utf8')
      .trim()
      .split('\n');
    const [start, ...messages] = lines.map((line) => JSON.parse(line));
    expect(start.msg).toMatch(/^starting version \d\S+ on port \d+$/);
    expect(messages[0]).toMatchObject({
      level: 40,
      time: expect.stringMatching(/^\d{4}-/),
      service: 'start',
      msg: 'jobs ended with SIGKILL; restarting it on its data',
    });
    expect(messages[1].msg).toMatch(/^jobs is back after \d+ ms$/);
  });

  it('restarts nats that died', () => expectRestart('nats'));

  it('restarts mongod that died, on its data', async () => {
    const client = new mongoose.mongo.MongoClient(adminUri(system.runJson()));
    const things = client.db('kept').collection('things');
    await things.insertOne({ name: 'before' }, { writeConcern: { w: 'majority', journal: true } });
    await expectRestart('mongod');
    await expect(things.countDocuments()).resolves.toBe(1);
    await client.close();
  });

  it('rejects a second start on the same data, in one line', async () => {
    const second = await startStubs(data.path);
    await expect(second.ended).resolves.toBe(1);
    expect(second.output()).toBe(
      `Another start already uses ${data.path} (process ${system.process.pid}): stop it, or set DATA_DIR.\n`,
    );
    expect(pidsOf(system.runJson()).every(isAlive)).toBe(true);
  });
});
