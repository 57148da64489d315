import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findExistingJobs, unavailable } from '@joblisting/contracts';
import { createLog, endpoint } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import { linkModel } from '../src/models/link.ts';
import { type RunningShortlink, runShortlink } from './running-shortlink.ts';

const TEN_MINUTES = 600_000;

let shortlink: RunningShortlink;
let stopJobs: () => Promise<void>;
let existing: Set<number>;
/** How many jobs each request named. */
let requested: number[];
let isAway: boolean;

beforeAll(async () => {
  shortlink = await runShortlink();
  const jobs = await shortlink.bus.serve(
    [
      endpoint(
        findExistingJobs,
        async ({ body: { ids } }) => {
          requested.push(ids.length);
          if (isAway) throw unavailable('database_away');
          return { data: { ids: ids.filter((id) => existing.has(id)) } };
        },
        createLog('jobs', 'silent'),
      ),
    ],
    { name: 'jobs', version: '1.0.0', description: 'stand-in', maxInFlight: 10, onError: () => undefined },
  );
  stopJobs = () => jobs.stop();
});
afterAll(async () => {
  await stopJobs();
  await shortlink.stop();
});
beforeEach(async () => {
  existing = new Set();
  requested = [];
  isAway = false;
  await links().deleteMany({});
});

const links = () => linkModel(shortlink.mongo);
const allConfirmed = async () => (await links().countDocuments({ checkAt: { $exists: true } })) === 0;
const untilSwept = () => waitFor(allConfirmed, { what: 'the sweep to check every link' });
const linkedJobs = async () => (await links().find().sort({ jobId: 1 }).lean()).map(({ jobId }) => jobId);

describe('the sweep of links', () => {
  it('removes the links of jobs that were never created, and keeps the others', async () => {
    existing.add(1);
    for (const jobId of [1, 2, 3]) await shortlink.createLink(jobId);
    shortlink.clock.advance(TEN_MINUTES);
    await untilSwept();
    expect(await linkedJobs()).toEqual([1]);
  });

  it('checks no link within ten minutes: its job may still be committed', async () => {
    await shortlink.createLink(1);
    shortlink.clock.advance(TEN_MINUTES - 1);
    await delay(200);
    expect(requested).toEqual([]);
    expect(await linkedJobs()).toEqual([1]);
  });

  it('checks each link once, in batches of 500', async () => {
    const jobIds = Array.from({ length: 1200 }, (_, index) => index + 1);
    existing = new Set(jobIds);
    const now = new Date(shortlink.clock.now());
    await links().insertMany(
      jobIds.map((jobId) => ({ _id: `code-${jobId}`, jobId, createdAt: now, checkAt: now })),
    );
    await untilSwept();
    expect(requested).toEqual([500, 500, 200]);
  });

  it('removes nothing while jobs is unavailable, and goes on afterwards', async () => {
    isAway = true;
    await shortlink.createLink(1);
    shortlink.clock.advance(TEN_MINUTES);
    await waitFor(() => requested.length > 1, { what: 'two sweeps that jobs refuses' });
    expect(await linkedJobs()).toEqual([1]);
    isAway = false;
    await untilSwept();
    expect(await linkedJobs()).toEqual([]);
  });

  it('reads only what is due', async () => {
    const due = links().find({ checkAt: { $lte: new Date() } });
    expect(JSON.stringify(await due.sort({ checkAt: 1 }).explain())).toContain('checkAt_1');
  });
});
