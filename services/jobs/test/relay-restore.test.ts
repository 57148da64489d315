import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { collectJobEvents } from './job-events.ts';
import { newJob, runJobs, type RunningJobs } from './running-jobs.ts';

interface Stored {
  readonly _id: string | number;
}

let jobs: RunningJobs;
let events: ReturnType<typeof collectJobEvents>;

beforeAll(async () => {
  jobs = await runJobs();
  events = collectJobEvents(jobs.bus);
});
afterAll(async () => {
  await events.stop();
  await jobs.stop();
});

it('the relay continues after its database was dropped and restored with an older position', async () => {
  const { id } = (await jobs.create(newJob())).data;
  await jobs.update(id, { title: 'Fitter' });
  await events.arrived(id, 2);
  const backup = async (name: string) => jobs.mongo.collection<Stored>(name).find().toArray();
  const [relay, stored] = [await backup('relay'), await backup('jobs')];
  await jobs.mongo.dropDatabase();
  await jobs.mongo.collection<Stored>('jobs').insertMany(stored);
  await jobs.mongo.collection<Stored>('relay').insertMany(relay);
  await jobs.update(id, { title: 'Turner' });
  expect(await events.arrived(id, 3)).toEqual([
    ['created', 1, 1],
    ['updated', 2, 1],
    ['updated', 3, 1],
  ]);
}, 30_000);
