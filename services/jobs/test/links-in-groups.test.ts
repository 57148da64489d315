import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@joblisting/bus';
import { createLinks, type Operation } from '@joblisting/contracts';
import { createLog, type Log, ownCall } from '@joblisting/service-kit';
import { startNats, type TestNats } from '@joblisting/testing';
import { linksPeer } from '../src/peers/links.ts';
import { type Peers, startPeers } from './peers.ts';

let nats: TestNats;
let bus: Bus;
let peers: Peers;
beforeEach(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: 'test' });
});
afterEach(async () => {
  await bus.close();
  await peers.stop();
  await nats.stop();
});

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const FALLBACK = 'https://search.example/Share/Job';

/** What makes links; a request has the id of its job. */
async function linkMaker(without: readonly Operation[] = []) {
  peers = await startPeers(nats.url, without);
  const links = linksPeer(bus, 'https://search.example', createLog('jobs', 'silent'));
  return (jobId: number, limitMs = 5000) =>
    links.create({ id: jobId, url: undefined }, { ...ownCall(limitMs), requestId: `r${jobId}` });
}

/** Links of this job wait until it is called. */
function hold(jobId: number): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  peers.linkFault = (id) => (id === jobId ? promise : Promise.resolve());
  return resolve;
}

describe('links of jobs that are made at once', () => {
  it('are asked for together, under the request ids of all', async () => {
    const create = await linkMaker();
    const made = await Promise.all(upTo(40).map((jobId) => create(jobId)));
    expect(made).toEqual(upTo(40).map((id) => ({ url: `https://s.example/${id}`, linkPending: false })));
    expect(peers.linkGroups.map(({ jobIds }) => jobIds.length)).toEqual([32, 8]);
    expect(peers.linkGroups[1]?.requestId).toBe('r33,r34,r35,r36,r37,r38,r39,r40');
  });

  it('are asked for one by one where nobody makes several', async () => {
    const create = await linkMaker([createLinks]);
    const made = await Promise.all(upTo(3).map((jobId) => create(jobId)));
    expect(made.map(({ linkPending }) => linkPending)).toEqual([false, false, false]);
  });

  it('are the fallback where there is no time for them', async () => {
    const create = await linkMaker();
    peers.linksLeftOut = [2];
    const made = await Promise.all(upTo(3).map((jobId) => create(jobId)));
    expect(made.map(({ linkPending }) => linkPending)).toEqual([false, true, false]);
  });

  it('are the fallback where all of them fail', async () => {
    const create = await linkMaker();
    peers.linkFault = () => Promise.reject(new Error('away'));
    const made = await Promise.all(upTo(3).map((jobId) => create(jobId)));
    expect(made).toEqual(upTo(3).map((id) => ({ url: `${FALLBACK}${id}`, linkPending: true })));
  });

  it('have as long as the last of their requests', async () => {
    const create = await linkMaker();
    const release = hold(2);
    const made = Promise.all([create(1, 30), create(2)]);
    setTimeout(release, 100);
    expect((await made).map(({ linkPending }) => linkPending)).toEqual([false, false]);
  });

  it('do not keep those waiting that come later', async () => {
    const create = await linkMaker();
    const release = hold(1);
    const first = Promise.all([create(1), create(2)]);
    await new Promise(setImmediate);
    expect(await create(3)).toMatchObject({ linkPending: false });
    release();
    expect((await first).map(({ linkPending }) => linkPending)).toEqual([false, false]);
  });
});

describe('links that are made ahead', () => {
  it('are none where that fails, which is told once, and again when it works', async () => {
    await linkMaker();
    const lines: (string | undefined)[] = [];
    const keep = (_details: unknown, message?: string) => void lines.push(message);
    const log = Object.assign(Object.create(createLog('jobs', 'silent')) as Log, { info: keep, warn: keep });
    const { createAhead } = linksPeer(bus, 'https://search.example', log);
    peers.linkFault = () => Promise.reject(new Error('away'));
    for (const id of [1, 2]) expect(await createAhead([id])).toEqual(new Map());
    peers.linkFault = () => Promise.resolve();
    for (const id of [3, 4])
      expect(await createAhead([id])).toEqual(new Map([[id, `https://s.example/${id}`]]));
    expect(lines).toEqual([
      'no short links are made ahead now; new jobs ask for theirs',
      'short links are made ahead again',
    ]);
  });
});
