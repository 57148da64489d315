import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();
const company = (id: number) => ({ company: { id } });

/** Data of the other company, which the first one must not read or change. */
const theirs = { jobId: 0, referenceId: '', syncId: 0 };
const readTheirs = async () => {
  const [job, sync] = await Promise.all([
    world.otherApi.get(`/jobs/${theirs.jobId}`),
    world.otherApi.get(`/syncs/${theirs.syncId}`),
  ]);
  return [job.json.data, sync.json.data];
};

beforeAll(async () => {
  theirs.referenceId = newReference();
  const body = jobBody(world.otherCompanyId, { referenceId: theirs.referenceId });
  theirs.jobId = (await world.otherApi.post('/jobs', body)).json.data.id;
  theirs.syncId = (await world.otherApi.post('/syncs', company(world.otherCompanyId))).json.data.id;
});

describe("another company's", () => {
  it('job in a batch: 403 for the item alone', async () => {
    const before = await readTheirs();
    const own = jobBody(world.companyId, { referenceId: newReference() });
    const items = [{ referenceId: theirs.referenceId, ...company(world.otherCompanyId), title: 'Mine' }, own];
    const { json } = await world.api.post('/jobs/batch', { items });
    expect(json.data.map(({ status }: { status: number }) => status)).toEqual([403, 201]);
    expect(json.data[0].error.code).toBe('company_forbidden');
    expect(await readTheirs()).toEqual(before);
  });

  it('job in a sync of the own one: 422 for the item', async () => {
    const before = await readTheirs();
    const { json: started } = await world.api.post('/syncs', company(world.companyId));
    const items = [{ referenceId: theirs.referenceId, ...company(world.otherCompanyId), title: 'Mine' }];
    const { json } = await world.api.post(`/syncs/${started.data.id}/items`, { items });
    expect(json.data[0].status).toBe(422);
    expect(await readTheirs()).toEqual(before);
  });

  const attempts: [string, number, string, (api: Client) => ReturnType<Client['get']>][] = [
    [
      'name on a new sync',
      403,
      'company_forbidden',
      (api) => api.post('/syncs', company(world.otherCompanyId)),
    ],
    ['sync, read', 404, 'sync_not_found', (api) => api.get(`/syncs/${theirs.syncId}`)],
    [
      'sync, with items',
      404,
      'sync_not_found',
      (api) => api.post(`/syncs/${theirs.syncId}/items`, { items: [jobBody(world.companyId)] }),
    ],
    [
      'sync, committed',
      404,
      'sync_not_found',
      (api) => api.post(`/syncs/${theirs.syncId}/commit`, { expectedCount: 0, missing: 'delete' }),
    ],
  ];

  it.each(attempts)('%s: %d', async (_what, status, code, attempt) => {
    const before = await readTheirs();
    const { status: answered, json, text } = await attempt(world.api);
    expect([answered, json.code]).toEqual([status, code]);
    expect(text).not.toContain(theirs.referenceId);
    expect(await readTheirs()).toEqual(before);
  });
});
