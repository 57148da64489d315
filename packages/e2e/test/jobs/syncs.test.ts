import { describe, expect, it } from '@jest/globals';
import { jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();

/** Ten jobs of a scope, and a sync of it. */
async function startedSync() {
  const scope = `${newReference().slice(0, 40)}-`;
  const item = (n: number) => jobBody(world.companyId, { referenceId: `${scope}${n}` });
  const { json: made } = await world.api.post('/jobs/batch', {
    items: Array.from({ length: 10 }, (_, n) => item(n)),
  });
  const ids = made.data.map(({ data }: { data: { id: number } }) => data.id) as number[];
  const started = await world.api.post('/syncs', { company: { id: world.companyId }, scope });
  return { item, ids, started, path: `/syncs/${started.json.data.id}` };
}

describe('a full sync', () => {
  it('closes what was not sent: POST /syncs, items, commit, report', async () => {
    const { item, ids, started, path } = await startedSync();
    expect([started.status, started.headers.get('location')]).toEqual([201, `${world.origin}/v1.0${path}`]);
    const items = Array.from({ length: 9 }, (_, n) => item(n));
    const sent = await world.api.post(`${path}/items`, { items });
    expect([sent.status, sent.json.data[0].outcome]).toEqual([200, 'unchanged']);
    const committed = await world.api.post(`${path}/commit`, { expectedCount: 9, missing: 'close' });
    expect([committed.status, committed.json.data.closed]).toEqual([200, 1]);
    expect((await world.api.get(path)).json.data).toEqual(committed.json.data);
    expect((await world.api.get(`/jobs/${ids[9]}`)).json.data.status.id).toBe(2);
    expect((await world.api.get(`/jobs/${ids[8]}`)).json.data.status.id).toBe(1);
  });

  it('409 for a feed that was cut off: nothing is closed', async () => {
    const { item, ids, path } = await startedSync();
    await world.api.post(`${path}/items`, { items: [item(0), item(1)] });
    const { status, json } = await world.api.post(`${path}/commit`, { expectedCount: 2, missing: 'delete' });
    expect([status, json.code]).toEqual([409, 'sync_refused']);
    expect(json.errors).toHaveLength(9);
    for (const id of ids) expect((await world.api.get(`/jobs/${id}`)).json.data.status.id).toBe(1);
  });
});
