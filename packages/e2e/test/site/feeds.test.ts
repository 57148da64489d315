import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { dateIn, jobBody, makeWorld, startSystem, type System, type World } from '../../src/index.ts';

/** The clocks of jobs, scheduler and site start this long before 12:00 UTC. */
const LEAD_MS = 15_000;
let system: System;
let world: World;
let noon: number;
let offset: number;

beforeAll(async () => {
  const later = ['jobs', 'site', 'scheduler'] as const;
  system = await startSystem({ leaveOut: [...later, 'applications', 'metrics', 'shortlink'] });
  world = await makeWorld(system);
  noon = Date.UTC(2027, 4, 10, 12);
  offset = noon - LEAD_MS - Date.now();
  await system.fleet.start(later, { clockOffsetMs: offset });
}, 90_000);
afterAll(async () => {
  await world?.operator.close();
  await system?.stop();
});

const serviceNow = () => Date.now() + offset;
const day = (days: number) => dateIn(days, new Date(noon));
const siteOrigin = () => String(system.fleet.replicas('site').at(0)?.healthUrl);

async function idsOfFeed(): Promise<number[]> {
  const xml = await (await fetch(`${siteOrigin()}/companies/${world.companyId}/indeed.xml`)).text();
  return [...xml.matchAll(/<referencenumber><!\[CDATA\[(\d+)\]\]>/g)].map(([, id]) => Number(id));
}

async function idsOfList(): Promise<number[]> {
  const { json } = await world.api.get(`/jobs?company.id=${world.companyId}&status.id=1&pageSize=1000`);
  return json.data.map(({ id }: { id: number }) => id);
}

const isEqual = async () => JSON.stringify(await idsOfFeed()) === JSON.stringify(await idsOfList());

describe('the feed of a company', () => {
  it('equals the list of its Published jobs on both sides of 12:00 UTC', async () => {
    const create = async (dates: Record<string, unknown>): Promise<number> =>
      (await world.api.post('/jobs', jobBody(world.companyId, dates))).json.data.id;
    const closing = await create({ publishDate: day(-1), closeDate: day(0) });
    const open = await create({ publishDate: day(-2), closeDate: null });
    const pending = await create({ publishDate: day(1), closeDate: null });
    if (serviceNow() < noon - 1000) {
      await waitFor(async () => (await idsOfFeed()).length === 2, { what: 'two jobs in the feed' });
      if (serviceNow() < noon - 500) {
        expect(await idsOfFeed()).toEqual([closing, open]);
        expect(await idsOfList()).toEqual([closing, open]);
      }
    }
    await waitFor(() => serviceNow() >= noon, { limitMs: LEAD_MS, what: 'noon' });
    expect(await idsOfFeed()).not.toContain(closing);
    await waitFor(isEqual, { limitMs: 20_000, what: 'the feed to equal the list' });
    expect(await idsOfFeed()).toEqual([pending, open]);
  });
});
