import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startMongod, type TestMongod, waitFor } from '@joblisting/testing';
import { collectJobEvents } from './job-events.ts';
import { newJob, runJobs, type RunningJobs } from './running-jobs.ts';

let mongod: TestMongod;
let jobs: RunningJobs;
let events: ReturnType<typeof collectJobEvents>;

beforeAll(async () => {
  mongod = await startMongod();
  jobs = await runJobs({ MONGODB_URI: mongod.uri });
  events = collectJobEvents(jobs.bus);
});
afterAll(async () => {
  await events.stop();
  await jobs.stop();
  await mongod.stop();
});

it('the relay continues after MongoDB was killed', async () => {
  const { id } = (await jobs.create(newJob())).data;
  await jobs.update(id, { title: 'Fitter' });
  await mongod.kill();
  await mongod.restart();
  const update = () => jobs.update(id, { title: 'Turner' }).catch(() => undefined);
  await waitFor(update, { limitMs: 30_000, what: 'a write' });
  expect((await events.arrived(id, 3)).slice(0, 2)).toEqual([
    ['created', 1, 1],
    ['updated', 2, 1],
  ]);
}, 60_000);

it('the service stops although MongoDB is frozen', async () => {
  mongod.pause();
  try {
    const startedAt = Date.now();
    await jobs.replicas[0]?.stop();
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  } finally {
    mongod.resume();
  }
}, 60_000);
