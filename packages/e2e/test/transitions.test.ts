import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { dateIn, jobBody, makeWorld, startSystem, type System, type World } from '../src/index.ts';

/** The clock of the jobs service starts this long before 12:00 UTC. */
const LEAD_MS = 8000;
let system: System;
let world: World;
let noon: number;
let offset: number;

beforeAll(async () => {
  // Without a scheduler, reads must still show due transitions.
  system = await startSystem({ leaveOut: ['jobs', 'scheduler', 'applications', 'metrics', 'shortlink'] });
  world = await makeWorld(system);
  noon = Date.UTC(2027, 4, 10, 12);
  offset = noon - LEAD_MS - Date.now();
  await system.fleet.start(['jobs'], { clockOffsetMs: offset });
}, 90_000);

afterAll(async () => {
  await world?.operator.close();
  await system?.stop();
});

const serviceNow = () => Date.now() + offset;
const day = (days: number) => dateIn(days, new Date(noon));

describe('12:00 UTC', () => {
  it('publishes jobs of tomorrow and closes jobs of today, without a scheduler', async () => {
    const { api, companyId } = world;
    const pending = await api.post('/jobs', jobBody(companyId, { publishDate: day(1), closeDate: null }));
    const published = await api.post(
      '/jobs',
      jobBody(companyId, { publishDate: day(-1), closeDate: day(0) }),
    );
    const later = await api.post('/jobs', jobBody(companyId, { publishDate: day(2), closeDate: null }));
    if (serviceNow() < noon - 500) {
      expect(pending.json.data.status.id).toBe(3);
      expect(published.json.data.status.id).toBe(1);
    }
    await waitFor(() => serviceNow() > noon, { limitMs: LEAD_MS + 5000, what: 'noon' });
    const statusOf = async (id: number) => (await api.get(`/jobs/${id}`)).json.data.status.id;
    expect(await statusOf(pending.json.data.id)).toBe(1);
    expect(await statusOf(published.json.data.id)).toBe(2);
    expect(await statusOf(later.json.data.id)).toBe(3);
    const { json } = await api.get(`/jobs?company.id=${companyId}&status.id=2`);
    expect(json.data.map(({ id }: { id: number }) => id)).toEqual([published.json.data.id]);
    expect(json.data[0].displayDate).toBe(day(0));
  });

  it('decides the status of a new job', async () => {
    await waitFor(() => serviceNow() > noon, { limitMs: LEAD_MS + 5000, what: 'noon' });
    const made = await world.api.post(
      '/jobs',
      jobBody(world.companyId, { publishDate: day(1), closeDate: null }),
    );
    expect(made.json.data.status.id).toBe(1);
  });
});
