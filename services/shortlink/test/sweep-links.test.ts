import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findExistingJobs, ServiceError } from '@joblisting/contracts';
import { createLog, endpoint } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import type { StoredLink } from '../src/stored-link.ts';
import { type RunningShortlink, runShortlink } from './running-shortlink.ts';

let shortlink: RunningShortlink;
let existing: Set<number>;
/** How many jobs were asked for in each call. */
let asked: number[];
let isAway: boolean;
/** What happens before jobs answers. */
let whileAsked: () => Promise<unknown>;
let stopJobs: () => Promise<void>;

beforeEach(async () => {
  existing = new Set();
  asked = [];
  isAway = false;
  whileAsked = () => Promise.resolve();
  shortlink = await runShortlink();
  const jobs = await shortlink.bus.serve(
    [
      endpoint(
        findExistingJobs,
        async ({ body: { ids } }) => {
          if (isAway) throw new ServiceError('unavailable');
          await whileAsked();
          asked.push(ids.length);
          return { data: { ids: ids.filter((id) => existing.has(id)) } };
        },
        createLog('jobs', 'silent'),
      ),
    ],
    { name: 'jobs', version: '1.0.0', description: 'stand-in', maxInFlight: 10, onError: () => undefined },
  );
  stopJobs = () => jobs.stop();
});
afterEach(async () => {
  await stopJobs();
  await shortlink.stop();
});

const links = () => shortlink.mongo.collection<StoredLink>('links');
const jobIds = async () =>
  (await links().find().toArray()).map(({ jobId }) => jobId).toSorted((a, b) => a - b);
const dueIn = async (jobId: number) =>
  ((await links().findOne({ jobId }))?.checkAt?.getTime() ?? Number.NaN) - Date.now();
/** Lets the time come at which links are checked, and a sweep with it. */
const sweep = async (...due: number[]) => {
  await links().updateMany({ jobId: { $in: due } }, { $set: { checkAt: new Date(0) } });
  await shortlink.stopReplicas();
  await shortlink.addReplica();
};
const missed = () => links().countDocuments({ missed: true });
const unconfirmed = () => links().countDocuments({ checkAt: { $exists: true } });

describe('the sweep', () => {
  it('removes the link of a job that never came to be, when it has looked twice, and keeps the others', async () => {
    existing.add(1);
    for (const jobId of [1, 2, 3]) await shortlink.linkOf(jobId);
    await sweep(1, 2);
    await waitFor(async () => (await missed()) === 1, { what: 'the first look' });
    expect(await jobIds()).toEqual([1, 2, 3]);
    expect(await dueIn(2)).toBeGreaterThan(110_000);
    await sweep(2);
    await waitFor(async () => (await unconfirmed()) === 1, { what: 'the second look' });
    expect(await jobIds()).toEqual([1, 3]);
    expect(asked).toEqual([2, 1]);
  });

  it('keeps a link whose job has come between two looks, and does not check it again', async () => {
    await shortlink.linkOf(1);
    await sweep(1);
    await waitFor(async () => (await missed()) === 1, { what: 'the first look' });
    existing.add(1);
    await sweep(1);
    await waitFor(async () => (await unconfirmed()) === 0, { what: 'the second look' });
    await shortlink.linkOf(1);
    expect(await links().findOne({ jobId: 1 })).toEqual({
      _id: expect.any(String),
      jobId: 1,
      createdAt: expect.any(Date),
    });
  });

  it('leaves a link alone for longer than any job can take to be committed', async () => {
    await shortlink.linkOf(1);
    expect(await dueIn(1)).toBeGreaterThan(110_000);
    expect(await dueIn(1)).toBeLessThanOrEqual(120_000);
    await sweep();
    expect(await jobIds()).toEqual([1]);
    expect(asked).toEqual([]);
  });

  it('does not remove a link that its job asks for meanwhile', async () => {
    const before = await shortlink.linkOf(1);
    await sweep(1);
    await waitFor(async () => (await missed()) === 1, { what: 'the first look' });
    whileAsked = () => shortlink.linkOf(1);
    await sweep(1);
    await waitFor(() => asked.length === 2, { what: 'the second look' });
    await shortlink.stopReplicas();
    await shortlink.addReplica();
    expect(await missed()).toBe(0);
    expect(await dueIn(1)).toBeGreaterThan(110_000);
    expect(await shortlink.linkOf(1)).toEqual(before);
  });

  it('asks once for each link, in batches', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => index + 1);
    for (const jobId of many) existing.add(jobId);
    await links().insertMany(
      many.map((jobId) => ({
        _id: `code-${jobId}`,
        jobId,
        createdAt: new Date(0),
        checkAt: new Date(0),
      })),
    );
    await sweep();
    await waitFor(async () => (await unconfirmed()) === 0, { what: 'the sweep' });
    expect(asked).toEqual([500, 500, 200]);
  });

  it('removes nothing while jobs does not say', async () => {
    await shortlink.linkOf(1);
    isAway = true;
    await sweep(1);
    expect(await jobIds()).toEqual([1]);
    isAway = false;
    await sweep(1);
    await waitFor(async () => (await missed()) === 1, { what: 'the first look' });
    await sweep(1);
    await waitFor(async () => (await jobIds()).length === 0, { what: 'the second look' });
  });

  it('reads only what is due', async () => {
    const plan = await links()
      .find({ checkAt: { $lte: new Date() } })
      .sort({ checkAt: 1 })
      .explain();
    expect(JSON.stringify(plan)).toContain('checkAt_1');
  });
});
