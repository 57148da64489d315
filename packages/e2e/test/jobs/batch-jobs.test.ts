import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();
const item = (overrides: Record<string, unknown> = {}) =>
  jobBody(world.companyId, { referenceId: newReference(), ...overrides });
const statusesOf = (data: readonly { status: number }[]) => data.map(({ status }) => status);

describe('POST /jobs/batch › 200', () => {
  it('creates and changes 500 jobs, and finds them unchanged the second time', async () => {
    const items = Array.from({ length: 500 }, () => item({ categories: [{ name: 'Batch' }] }));
    await world.api.put('/jobs', items[0]);
    const { data } = (await world.api.post('/jobs/batch', { items })).json;
    expect(data).toHaveLength(500);
    // On a busy machine there is no time for some of them.
    await waitFor(
      async () => {
        const left = data.filter(({ status }: { status: number }) => status >= 500);
        if (left.length === 0) return true;
        const again = left.map(({ index }: { index: number }) => items[index]);
        const { json } = await world.api.post('/jobs/batch', { items: again });
        for (const answer of json.data) {
          const { index } = left[answer.index];
          data[index] = { ...answer, index };
        }
        return false;
      },
      { limitMs: 50_000, what: 'all items to be executed' },
    );
    expect(new Set(statusesOf(data))).toEqual(new Set([200, 201]));
    const second = await world.api.post('/jobs/batch', { items: items.slice(0, 20) });
    expect(second.json.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
      Array.from({ length: 20 }, () => 'unchanged'),
    );
    const { json } = await world.api.get(`/jobs?company.id=${world.companyId}`);
    expect(json.paging.total).toBe(500);
    const read = await world.api.get(`/jobs/${data[499].data.id}`);
    expect(read.json.data).toEqual(data[499].data);
    expect(read.headers.get('etag')).toMatch(/^"1-/);
  });

  it('answers a bad item by itself', async () => {
    const { status, json } = await world.api.post('/jobs/batch', { items: [item({ title: '' }), item()] });
    expect([status, statusesOf(json.data)]).toEqual([200, [422, 201]]);
    expect(json.data[0].error).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/items/0/title', code: 'too_short' }],
    });
  });

  it('judges only, with dryRun=true', async () => {
    const referenceId = newReference();
    const items = [item({ referenceId })];
    const { headers, json } = await world.api.post('/jobs/batch?dryRun=true', { items });
    expect([headers.get('dry-run'), statusesOf(json.data)]).toEqual(['true', [201]]);
    const path = `/jobs?company.id=${world.companyId}&referenceId=${referenceId}`;
    expect((await world.api.get(path)).json.data).toEqual([]);
  });

  it('is replayed for the same Idempotency-Key', async () => {
    const body = { items: [item()] };
    const options = { headers: { 'Idempotency-Key': newReference() } };
    const first = await world.api.post('/jobs/batch', body, options);
    const again = await world.api.post('/jobs/batch', body, options);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await world.api.post('/jobs/batch', { items: [item()] }, options);
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
  });
});

describe('POST /jobs/batch › 4xx', () => {
  it('400 for a body that is not JSON', async () => {
    const { status, json } = await world.api.post('/jobs/batch', undefined, { raw: '{"items":[' });
    expect([status, json.code]).toEqual([400, 'malformed_json']);
  });

  it('422 for more than 500 items', async () => {
    const { status, json } = await world.api.post('/jobs/batch', {
      items: Array.from({ length: 501 }, item),
    });
    expect(status).toBe(422);
    expect(json.errors).toEqual([expect.objectContaining({ pointer: '#/items/500', code: 'too_many' })]);
  });
});
