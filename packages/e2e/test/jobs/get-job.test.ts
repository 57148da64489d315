import { describe, expect, it } from '@jest/globals';
import { dateIn, jobBody, newReference, SEARCH_URL, useWorld } from '../../src/index.ts';

const world = useWorld();

describe('GET /jobs/{id} › 200', () => {
  it('has every field of the spec, with its type', async () => {
    const { api, companyId, companyName, origin } = world;
    const referenceId = newReference();
    const body = jobBody(companyId, {
      referenceId,
      employer: 'Rose & Sons',
      province: { id: 840 * 46_656 + Number.parseInt('CA', 36) },
      categories: [{ id: 8 }],
      types: [{ id: 1 }, { id: 3 }],
      applicationEmails: ['jobs@example.com'],
    });
    const { json: created } = await api.post('/jobs', body);
    const { status, json } = await api.get(`/jobs/${created.data.id}`);
    expect(status).toBe(200);
    expect(json).toEqual({
      data: {
        id: created.data.id,
        referenceId,
        company: { id: companyId, name: companyName },
        employer: 'Rose & Sons',
        title: 'Senior Gardener',
        publishDate: body['publishDate'],
        closeDate: body['closeDate'],
        displayDate: body['publishDate'],
        city: 'Utrecht',
        province: {
          id: expect.any(Number),
          name: 'California',
          country: { id: 840, name: expect.stringContaining('United States') },
        },
        categories: [{ id: 8, name: 'Engineering' }],
        types: [
          { id: 1, name: 'Full-time' },
          { id: 3, name: 'Contract' },
        ],
        description: 'Look after the rose garden.',
        descriptionFormat: 'text',
        applicantRoutingType: { id: 1, name: 'Default' },
        applicationEmails: ['jobs@example.com'],
        applicationUrl: null,
        url: expect.stringMatching(new RegExp(`^${origin}/s/\\w+$`)),
        status: { id: 1, name: 'Published' },
        viewCount: 0,
        applicationCount: 0,
        clickThroughCount: 0,
      },
      warnings: [],
    });
  });

  it('has null and [] for omitted properties', async () => {
    const { api, companyId } = world;
    const { json: created } = await api.post(
      '/jobs',
      jobBody(companyId, { city: undefined, closeDate: undefined }),
    );
    const { json } = await api.get(`/jobs/${created.data.id}`);
    expect(json.data).toMatchObject({
      referenceId: null,
      employer: null,
      closeDate: null,
      city: null,
      province: null,
      categories: [],
      types: [],
      applicationEmails: [],
      applicationUrl: null,
    });
  });

  it('shows closeDate as displayDate once closed', async () => {
    const { api, companyId } = world;
    const closeDate = dateIn(-5);
    const { json } = await api.post('/jobs', jobBody(companyId, { publishDate: dateIn(-40), closeDate }));
    expect(json.data).toMatchObject({ status: { id: 2, name: 'Closed' }, displayDate: closeDate });
  });

  it('can be posted back to make an equal job', async () => {
    const { api, companyId } = world;
    const first = await api.post(
      '/jobs',
      jobBody(companyId, { categories: [{ id: 3 }], types: [{ id: 2 }], province: { country: { id: 528 } } }),
    );
    const { id, referenceId, ...rest } = (await api.get(`/jobs/${first.json.data.id}`)).json.data;
    expect(referenceId).toBeNull();
    const second = await api.post('/jobs', rest);
    expect(second.status).toBe(201);
    expect(second.json.warnings).toEqual([]);
    expect(second.json.data).toEqual({
      ...rest,
      referenceId: null,
      id: expect.any(Number),
      url: expect.any(String),
    });
    expect(second.json.data.id).not.toBe(id);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const { api, companyId } = world;
    const { json } = await api.post('/jobs', jobBody(companyId));
    const get = await api.get(`/jobs/${json.data.id}`);
    const head = await api.send(`/jobs/${json.data.id}`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
  });
});

describe('GET /jobs/{id} › 304', () => {
  it('for a current If-None-Match', async () => {
    const { api, companyId } = world;
    const { json } = await api.post('/jobs', jobBody(companyId));
    const path = `/jobs/${json.data.id}`;
    const etag = (await api.get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"\d+-[^"]+"$/);
    const again = await api.get(path, { 'If-None-Match': etag });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
    await api.put(path, { title: 'Head Gardener' });
    expect((await api.get(path, { 'If-None-Match': etag })).status).toBe(200);
  });
});

describe('GET /jobs/{id} › 404', () => {
  it.each(['0', '-1', '2147483647'])('for the unknown id %s', async (id) => {
    const { status, json } = await world.api.get(`/jobs/${id}`);
    expect(status).toBe(404);
    expect(json).toMatchObject({ data: null, warnings: [], code: 'job_not_found', status: 404 });
  });

  it("for another company's job, with the same text", async () => {
    const { api, otherApi, companyId } = world;
    const { json } = await api.post('/jobs', jobBody(companyId));
    const foreign = await otherApi.get(`/jobs/${json.data.id}`);
    expect(foreign.status).toBe(404);
    expect(foreign.json.code).toBe('job_not_found');
  });
});

describe('GET /jobs/{id} › 400', () => {
  it.each(['abc', '1.5', '2147483648', '01', '+1', '1e3', '%20'])('for the id %s', async (id) => {
    const { status, json } = await world.api.get(`/jobs/${id}`);
    expect(status).toBe(400);
    expect(json.errors).toEqual([expect.objectContaining({ parameter: 'id' })]);
  });
});

describe('The url of a job', () => {
  it('redirects to the job on the search site', async () => {
    const { api, companyId } = world;
    const { json } = await api.post('/jobs', jobBody(companyId));
    const followed = await api.send(json.data.url);
    expect(followed.status).toBe(302);
    expect(followed.headers.get('location')).toBe(`${SEARCH_URL}/Share/Job${json.data.id}`);
    expect(followed.headers.get('cache-control')).toBe('private, max-age=90');
  });

  it('is 404 for an unknown code and for a deleted job', async () => {
    const { api, anonymous, companyId, origin } = world;
    expect((await anonymous.send(`${origin}/s/nosuchcode`)).status).toBe(404);
    const { json } = await api.post('/jobs', jobBody(companyId));
    await api.delete(`/jobs/${json.data.id}`);
    expect((await anonymous.send(json.data.url)).status).toBe(404);
  });
});
