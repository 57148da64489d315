import { describe, expect, it } from '@jest/globals';
import { dateIn, jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();

async function newJob(overrides: Record<string, unknown> = {}) {
  const { json } = await world.api.post('/jobs', jobBody(world.companyId, overrides));
  return { path: `/jobs/${json.data.id}`, data: json.data };
}
const codes = (json: { warnings: { code: string }[] }) => json.warnings.map(({ code }) => code);

describe('PUT /jobs/{id} › 200', () => {
  it('changes only the sent properties', async () => {
    const { path, data } = await newJob();
    const { status, json } = await world.api.put(path, { title: 'Head Gardener' });
    expect(status).toBe(200);
    expect(json).toEqual({ data: { ...data, title: 'Head Gardener' }, warnings: [] });
  });

  it('clears optional properties with null', async () => {
    const { path } = await newJob({
      employer: 'E',
      referenceId: newReference(),
      province: { country: { id: 124 } },
      categories: [{ id: 1 }],
      types: [{ id: 1 }],
    });
    const { json } = await world.api.put(path, {
      employer: null,
      city: null,
      closeDate: null,
      province: null,
      referenceId: null,
      categories: null,
      types: null,
      applicationEmails: null,
      applicationUrl: null,
    });
    expect(json.data).toMatchObject({
      employer: null,
      city: null,
      closeDate: null,
      province: null,
      referenceId: null,
      categories: [],
      types: [],
      applicationEmails: [],
      applicationUrl: null,
    });
  });

  it('keeps the version without a change', async () => {
    const { path, data } = await newJob();
    const before = (await world.api.get(path)).headers.get('etag');
    const { headers } = await world.api.put(path, { title: data.title, status: { id: 1 } });
    expect(headers.get('etag')).toBe(before);
  });

  it('switches the routing and clears the properties of the old one', async () => {
    const { path } = await newJob({ applicationEmails: ['a@example.com'] });
    const click = await world.api.put(path, {
      applicantRoutingType: { id: 2 },
      applicationUrl: 'https://example.com/apply',
    });
    expect(click.json.data).toMatchObject({
      applicantRoutingType: { id: 2, name: 'Click-through' },
      applicationEmails: [],
      applicationUrl: 'https://example.com/apply',
    });
    const back = await world.api.put(path, { applicantRoutingType: { id: 1 } });
    expect(back.json.data).toMatchObject({ applicationUrl: null, applicationEmails: [] });
  });

  it('validates the description again when only the format changes', async () => {
    const { path } = await newJob({ description: '<p>Fine</p>', descriptionFormat: 'html' });
    const text = await world.api.put(path, { descriptionFormat: 'text' });
    expect(text.json.data.description).toBe('&lt;p&gt;Fine&lt;/p&gt;');
    expect(codes(text.json)).toEqual(['html_encoded']);
  });

  it('sets and clears a referenceId', async () => {
    const { path } = await newJob();
    const referenceId = newReference();
    expect((await world.api.put(path, { referenceId })).json.data.referenceId).toBe(referenceId);
    expect(
      (await world.api.put('/jobs', { referenceId, company: { id: world.companyId }, city: 'Delft' })).status,
    ).toBe(200);
  });
});

describe('PUT /jobs/{id} › status', () => {
  it('2 closes a published job and sets a past close date', async () => {
    const { path } = await newJob();
    const { json } = await world.api.put(path, { status: { id: 2 } });
    const expected = new Date(Date.now() - 12 * 3600_000).toISOString().slice(0, 10);
    expect(json.data).toMatchObject({
      status: { id: 2, name: 'Closed' },
      closeDate: expected,
      displayDate: expected,
    });
    expect(codes(json)).toEqual(['close_date_changed']);
  });

  it('2 closes a pending job', async () => {
    const { path } = await newJob({ publishDate: dateIn(20), closeDate: null });
    expect((await world.api.put(path, { status: { id: 2 } })).json.data.status.id).toBe(2);
  });

  it('1 re-publishes a closed job', async () => {
    const { path } = await newJob();
    await world.api.put(path, { status: { id: 2 } });
    const { json } = await world.api.put(path, { status: { id: 1 } });
    expect(json.data).toMatchObject({ status: { id: 1, name: 'Published' }, closeDate: null });
    expect(codes(json)).toEqual(['close_date_changed']);
  });

  it('1 publishes a pending job today', async () => {
    const { path } = await newJob({ publishDate: dateIn(20), closeDate: null });
    const { json } = await world.api.put(path, { status: { id: 1 } });
    expect(json.data).toMatchObject({ status: { id: 1 }, publishDate: dateIn(0) });
    expect(codes(json)).toEqual(['publish_date_changed']);
  });

  it('1 with dates in the same request: the dates win', async () => {
    const { path } = await newJob();
    const { json } = await world.api.put(path, {
      status: { id: 1 },
      publishDate: dateIn(9),
      closeDate: null,
    });
    expect(json.data.status.id).toBe(3);
    expect(codes(json)).toEqual(['status_derived']);
  });

  it('2 with dates in the same request: closes the job', async () => {
    const { path } = await newJob();
    const { json } = await world.api.put(path, { status: { id: 2 }, closeDate: dateIn(9) });
    expect(json.data.status.id).toBe(2);
  });

  it('3 changes nothing on a pending job and is refused on others', async () => {
    const pending = await newJob({ publishDate: dateIn(20), closeDate: null });
    expect((await world.api.put(pending.path, { status: { id: 3 } })).status).toBe(200);
    const published = await newJob();
    const { status, json } = await world.api.put(published.path, { status: { id: 3 } });
    expect(status).toBe(422);
    expect(json.errors[0].pointer).toBe('#/status/id');
  });

  it('a closed job stays closed when only its publishDate moves', async () => {
    const { path } = await newJob();
    await world.api.put(path, { status: { id: 2 } });
    expect((await world.api.put(path, { publishDate: dateIn(20) })).json.data.status.id).toBe(2);
  });
});

describe('PUT /jobs/{id} › If-Match', () => {
  it('412 for another version, without a change', async () => {
    const { path, data } = await newJob();
    const etag = (await world.api.get(path)).headers.get('etag') ?? '';
    expect((await world.api.put(path, { title: 'A' }, { headers: { 'If-Match': etag } })).status).toBe(200);
    const stale = await world.api.put(path, { title: 'B' }, { headers: { 'If-Match': etag } });
    expect(stale.status).toBe(412);
    expect(stale.json.code).toBe('version_mismatch');
    expect((await world.api.get(path)).json.data).toEqual({ ...data, title: 'A' });
  });

  it('* matches any existing job', async () => {
    const { path } = await newJob();
    expect((await world.api.put(path, { title: 'A' }, { headers: { 'If-Match': '*' } })).status).toBe(200);
  });

  it('lets one of two concurrent writers through', async () => {
    const { path } = await newJob();
    const headers = { 'If-Match': (await world.api.get(path)).headers.get('etag') ?? '' };
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((title) => world.api.put(path, { title }, { headers })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
  });
});

describe('PUT /jobs/{id} › 422', () => {
  it('applies the rules to the merged job', async () => {
    const { path } = await newJob();
    const answer = await world.api.put(path, { applicationUrl: 'https://example.com' });
    expect(answer.status).toBe(422);
    expect(answer.json.errors).toEqual([expect.objectContaining({ pointer: '#/applicationUrl' })]);
    expect((await world.api.put(path, { applicantRoutingType: { id: 2 } })).status).toBe(422);
  });

  it('for another company', async () => {
    const { operator, origin } = world;
    const user = await operator.userKey([world.companyId, world.otherCompanyId]);
    const { path } = await newJob();
    const answer = await fetch(`${origin}/v1.0${path}`, {
      method: 'PUT',
      headers: {
        'Consumer-API-Key': world.consumerKey,
        'User-API-Key': user.secret,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ company: { id: world.otherCompanyId } }),
    });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ pointer: '#/company/id', code: 'immutable' }] });
  });
});

describe('PUT /jobs/{id} › 404', () => {
  it('for an unknown id and a foreign job, after the shape of the body', async () => {
    const { path } = await newJob();
    expect((await world.api.put('/jobs/2147483647', { title: 'A' })).status).toBe(404);
    expect((await world.otherApi.put(path, { title: 'A' })).status).toBe(404);
    expect((await world.api.put('/jobs/2147483647', { title: 5 })).status).toBe(422);
  });
});

describe('PUT /jobs/{id} › 409', () => {
  it('for a referenceId of another job', async () => {
    const referenceId = newReference();
    const holder = await newJob({ referenceId });
    const { path } = await newJob();
    const { status, json } = await world.api.put(path, { referenceId });
    expect(status).toBe(409);
    expect(json.conflict.id).toBe(holder.data.id);
  });
});

describe('PUT /jobs/{id} › concurrent changes', () => {
  it('of different properties all apply', async () => {
    const { path } = await newJob();
    const changes = [{ title: 'T' }, { city: 'C' }, { employer: 'E' }, { description: 'D' }];
    const answers = await Promise.all(changes.map((change) => world.api.put(path, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await world.api.get(path)).json.data).toMatchObject({
      title: 'T',
      city: 'C',
      employer: 'E',
      description: 'D',
    });
  });
});
