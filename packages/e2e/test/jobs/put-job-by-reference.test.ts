import { describe, expect, it } from '@jest/globals';
import { jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();
const put = (referenceId: string, overrides: Record<string, unknown> = {}) =>
  world.api.put('/jobs', jobBody(world.companyId, { referenceId, ...overrides }));

describe('PUT /jobs › 201', () => {
  it('for a new reference, with Location', async () => {
    const { status, headers, json } = await put(newReference());
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${world.origin}/v1.0/jobs/${json.data.id}`);
  });

  it('for one of 20 concurrent requests', async () => {
    const referenceId = newReference();
    const answers = await Promise.all(Array.from({ length: 20 }, () => put(referenceId)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(1);
  });
});

describe('PUT /jobs › 200', () => {
  it('changes only the sent properties of the job with the reference', async () => {
    const referenceId = newReference();
    const created = await put(referenceId);
    const { status, json } = await world.api.put('/jobs', {
      referenceId,
      company: { id: world.companyId },
      city: 'Gouda',
    });
    expect(status).toBe(200);
    expect(json.data).toEqual({ ...created.json.data, city: 'Gouda' });
  });

  it('changes nothing when repeated', async () => {
    const referenceId = newReference();
    await put(referenceId);
    const first = await put(referenceId);
    const second = await put(referenceId);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.json).toEqual(first.json);
  });

  it('closes with only status.id', async () => {
    const referenceId = newReference();
    await put(referenceId);
    const { json } = await world.api.put('/jobs', {
      referenceId,
      company: { id: world.companyId },
      status: { id: 2 },
    });
    expect(json.data.status.id).toBe(2);
  });
});

describe('PUT /jobs › 422', () => {
  it.each([
    ['referenceId', { company: { id: 1 } }, '#/referenceId'],
    ['company', { referenceId: 'r' }, '#/company'],
    ['company.id', { referenceId: 'r', company: {} }, '#/company/id'],
  ])('without %s', async (_name, body, pointer) => {
    const { status, json } = await world.api.put('/jobs', body);
    expect(status).toBe(422);
    expect(json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  it('lists the missing properties of a new job', async () => {
    const { status, json } = await world.api.put('/jobs', {
      referenceId: newReference(),
      company: { id: world.companyId },
    });
    expect(status).toBe(422);
    expect(json.errors.map((error: { pointer: string }) => error.pointer).toSorted()).toEqual([
      '#/applicantRoutingType',
      '#/description',
      '#/publishDate',
      '#/title',
    ]);
  });
});

describe('PUT /jobs › 403', () => {
  it('for a company that is not granted', async () => {
    const { status } = await world.api.put('/jobs', jobBody(world.otherCompanyId, { referenceId: 'r' }));
    expect(status).toBe(403);
  });
});

describe('PUT /jobs › 412', () => {
  it('for If-Match with a new reference', async () => {
    const body = jobBody(world.companyId, { referenceId: newReference() });
    expect((await world.api.put('/jobs', body, { headers: { 'If-Match': '*' } })).status).toBe(412);
  });
});
