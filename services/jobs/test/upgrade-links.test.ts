import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@joblisting/bus';
import { createLog, type Log, type Mongo } from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import { databasePrefix, dropDatabase, startNats, testMongoUri, type TestNats } from '@joblisting/testing';
import { serveStandIns, type ServedStandIns } from '@joblisting/testing/system';
import { upgradeLinks } from '../src/tasks/upgrade-links.ts';
import { linksClient } from '../src/clients/links.ts';
import { jobStore } from '../src/store/job-store.ts';
import { linkStore } from '../src/store/link-store.ts';
import { type Peers, standInPeers } from './peers.ts';

let nats: TestNats;
let peers: Peers;
let served: ServedStandIns;
let bus: Bus;
let mongo: Mongo;
let lines: string[];
/** Jobs whose links were requested. */
let requested: number[];

beforeEach(async () => {
  nats = await startNats();
  const { standIns, ...stoodIn } = standInPeers();
  ({ peers } = stoodIn);
  served = await serveStandIns(nats.url, 'peers', standIns);
  bus = await connectBus({ url: nats.url, name: 'test' });
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}upgrades`);
  lines = [];
  requested = [];
  peers.linkFault = (jobId) => {
    if (jobId !== undefined) requested.push(jobId);
    return Promise.resolve();
  };
});
afterEach(async () => {
  await mongo.close();
  await bus.close();
  await served.close();
  await nats.stop();
  await dropDatabase(mongo.name);
});

const jobs = () =>
  mongo.collection<{ _id: number; linkPending?: true; url?: string; version: number }>('jobs');
const pendingJob = (_id: number) => ({
  _id,
  linkPending: true as const,
  version: 1,
  companyId: 1,
  statusId: 1,
  publishAt: new Date(0),
  closeAt: null,
  displayDate: '1970-01-01',
  categories: [],
  typeIds: [],
  applicationEmails: [],
  counts: { view: 0, application: 0, clickThrough: 0 },
});
const add = (...ids: number[]) => jobs().insertMany(ids.map(pendingJob));
const pending = async () =>
  (await jobs().find({ linkPending: true }).sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const links = () => linkStore(mongo, jobStore(mongo), { now: Date.now });
const task = () => {
  const keep = (_details: unknown, message?: string) => void lines.push(message ?? '');
  const log = Object.assign(Object.create(createLog('jobs', 'silent')) as Log, { info: keep, warn: keep });
  return upgradeLinks(links(), linksClient(bus, 'https://search.example', log), AbortSignal.any([]));
};

describe('upgradeLinks', () => {
  it('gives every job its link, and a new version with it, in one run', async () => {
    await add(...upTo(50));
    await task()();
    expect(await pending()).toEqual([]);
    expect(await jobs().findOne({ _id: 50 })).toMatchObject({
      url: 'https://s.example/50',
      version: 2,
      change: { kind: 'updated', version: 2, fields: ['url'] },
    });
    expect(requested).toHaveLength(50);
  });

  it('requests four links, less and less often, while it gets none', async () => {
    peers.linksFinal = false;
    await add(...upTo(50));
    const run = task();
    const requestsOf = [];
    for (let index = 0; index < 28; index++) {
      const before = requested.length;
      await run();
      requestsOf.push(requested.length - before);
    }
    const skipped = (runs: number) => Array.from({ length: runs }, () => 0);
    expect(requestsOf).toEqual([4, ...skipped(1), 4, ...skipped(3), 4, ...skipped(7), 4, ...skipped(13)]);
    peers.linksFinal = true;
    for (let index = 0; index < 3; index++) await run();
    expect(await pending()).toEqual(upTo(16));
    await run();
    expect(await pending()).toEqual([]);
  });

  it('reaches later jobs however many before them get no link', async () => {
    const noteRequest = peers.linkFault;
    peers.linkFault = async (jobId) => {
      await noteRequest(jobId);
      if (jobId !== undefined && jobId <= 22) throw new Error('never');
    };
    await add(...upTo(30));
    const run = task();
    for (let index = 0; index < 60; index++) await run();
    expect(await pending()).toEqual(upTo(22));
  });

  it('removes the link of a job that was deleted meanwhile', async () => {
    await add(1, 2);
    peers.linkFault = async (jobId) => {
      if (jobId === 1) await jobs().deleteOne({ _id: 1 });
    };
    await task()();
    expect([...peers.links]).toEqual([2]);
  });

  it('keeps the link that another replica has just given to the job', async () => {
    await add(1);
    peers.linkFault = async (jobId) => {
      if (jobId === 1) await links().upgrade(1, 'https://s.example/1');
    };
    await task()();
    expect([...peers.links]).toEqual([1]);
  });

  it('logs once that links fail, and once that they work again', async () => {
    const fine = peers.linkFault;
    peers.linkFault = () => Promise.reject(new Error('away'));
    await add(...upTo(10));
    const run = task();
    for (let index = 0; index < 3; index++) await run();
    peers.linkFault = fine;
    for (let index = 0; index < 5; index++) await run();
    expect(lines).toEqual(['no short links now; they will be asked for again', 'short links are made again']);
  });
});
