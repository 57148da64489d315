import { describe, expect, it } from '@jest/globals';
import { jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();

async function newJob(overrides: Record<string, unknown> = {}): Promise<number> {
  const { json } = await world.api.post('/jobs', jobBody(world.companyId, overrides));
  return json.data.id;
}

describe('DELETE /jobs/{id}', () => {
  it('204 with an empty body, then 404', async () => {
    const id = await newJob();
    const deleted = await world.api.delete(`/jobs/${id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await world.api.get(`/jobs/${id}`)).status).toBe(404);
    expect((await world.api.delete(`/jobs/${id}`)).status).toBe(404);
  });

  it('ignores the Content-Type', async () => {
    const id = await newJob();
    const answer = await world.api.send(`/jobs/${id}`, {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(204);
  });

  it('404 for a foreign job', async () => {
    const id = await newJob();
    expect((await world.otherApi.delete(`/jobs/${id}`)).status).toBe(404);
    expect((await world.api.get(`/jobs/${id}`)).status).toBe(200);
  });

  it('412 for another version', async () => {
    const id = await newJob();
    const stale = await world.api.send(`/jobs/${id}`, {
      method: 'DELETE',
      headers: { 'If-Match': '"999-x"' },
    });
    expect(stale.status).toBe(412);
  });

  it('works by method override on POST', async () => {
    const id = await newJob();
    const answer = await world.api.send(`/jobs/${id}`, {
      method: 'POST',
      headers: { 'X-HTTP-Method-Override': 'delete' },
    });
    expect(answer.status).toBe(204);
  });
});

describe('DELETE /jobs', () => {
  it('204, then 404', async () => {
    const referenceId = newReference();
    const id = await newJob({ referenceId });
    const body = { referenceId, company: { id: world.companyId } };
    expect((await world.api.delete('/jobs', body)).status).toBe(204);
    expect((await world.api.get(`/jobs/${id}`)).status).toBe(404);
    expect((await world.api.delete('/jobs', body)).status).toBe(404);
  });

  it('reads a body without Content-Type', async () => {
    const referenceId = newReference();
    await newJob({ referenceId });
    const answer = await world.api.delete(
      '/jobs',
      { referenceId, company: { id: world.companyId } },
      { contentType: 'text/plain' },
    );
    expect(answer.status).toBe(204);
  });

  it('422 for missing properties, 403 for another company, 400 without a body', async () => {
    expect((await world.api.delete('/jobs', { company: { id: world.companyId } })).status).toBe(422);
    expect(
      (await world.api.delete('/jobs', { referenceId: 'r', company: { id: world.otherCompanyId } })).status,
    ).toBe(403);
    const empty = await world.api.send('/jobs', { method: 'DELETE' });
    expect([empty.status, empty.json.code]).toEqual([400, 'malformed_json']);
  });
});
