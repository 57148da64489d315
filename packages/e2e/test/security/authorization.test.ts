import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient, jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();
const company = (id: number) => ({ company: { id } });

/** Data of the other company, which the first one must not read or change. */
const theirs = { jobId: 0, referenceId: '', categoryId: 0 };
/** The job as its owner reads it. */
const readTheirJob = () => world.otherApi.get(`/jobs/${theirs.jobId}`).then(({ json }) => json.data);

beforeAll(async () => {
  theirs.referenceId = newReference();
  const body = jobBody(world.otherCompanyId, {
    referenceId: theirs.referenceId,
    categories: [{ name: 'Theirs' }],
  });
  const { json } = await world.otherApi.post('/jobs', body);
  theirs.jobId = json.data.id;
  theirs.categoryId = json.data.categories[0].id;
});

describe("another company's", () => {
  const attempts: [string, number, string, (api: Client) => ReturnType<Client['get']>][] = [
    ['job, read', 404, 'job_not_found', (api) => api.get(`/jobs/${theirs.jobId}`)],
    ["job's metrics", 404, 'job_not_found', (api) => api.get(`/jobs/${theirs.jobId}/metrics`)],
    ['job, changed', 404, 'job_not_found', (api) => api.put(`/jobs/${theirs.jobId}`, { title: 'Mine' })],
    [
      'job, changed in a dry run',
      404,
      'job_not_found',
      (api) => api.put(`/jobs/${theirs.jobId}?dryRun=true`, { title: 'Mine' }),
    ],
    [
      'name on a new job in a dry run',
      403,
      'company_forbidden',
      (api) => api.post('/jobs?dryRun=true', jobBody(world.otherCompanyId)),
    ],
    [
      'list, by a reference',
      403,
      'company_forbidden',
      (api) => api.get(`/jobs?company.id=${world.otherCompanyId}&referenceId=${theirs.referenceId}`),
    ],
    [
      'job, claimed in the body',
      403,
      'company_forbidden',
      (api) => api.put(`/jobs/${theirs.jobId}`, { ...company(world.otherCompanyId), title: 'Mine' }),
    ],
    [
      'job, moved to the own company',
      404,
      'job_not_found',
      (api) => api.put(`/jobs/${theirs.jobId}`, company(world.companyId)),
    ],
    ['job, closed', 404, 'job_not_found', (api) => api.put(`/jobs/${theirs.jobId}`, { status: { id: 2 } })],
    ['job, deleted', 404, 'job_not_found', (api) => api.delete(`/jobs/${theirs.jobId}`)],
    [
      'job, deleted by method override',
      404,
      'job_not_found',
      (api) =>
        api.post(`/jobs/${theirs.jobId}`, undefined, { headers: { 'X-HTTP-Method-Override': 'DELETE' } }),
    ],
    [
      'job, matched by any version',
      404,
      'job_not_found',
      (api) => api.put(`/jobs/${theirs.jobId}`, { title: 'Mine' }, { headers: { 'If-Match': '*' } }),
    ],
    [
      'job, by its reference',
      403,
      'company_forbidden',
      (api) => api.put('/jobs', { referenceId: theirs.referenceId, ...company(world.otherCompanyId) }),
    ],
    [
      'job, by its reference under the own company',
      404,
      'job_not_found',
      (api) => api.delete('/jobs', { referenceId: theirs.referenceId, ...company(world.companyId) }),
    ],
    [
      'reference, deleted',
      403,
      'company_forbidden',
      (api) => api.delete('/jobs', { referenceId: theirs.referenceId, ...company(world.otherCompanyId) }),
    ],
    ['events', 403, 'company_forbidden', (api) => api.get(`/events?company.id=${world.otherCompanyId}`)],
    [
      'events, by its cursor',
      400,
      'invalid_parameter',
      async (api) => {
        const { json } = await world.otherApi.get(`/events?company.id=${world.otherCompanyId}`);
        return api.get(`/events?company.id=${world.companyId}&after=${json.paging.next}`);
      },
    ],
    [
      'changed jobs',
      403,
      'company_forbidden',
      (api) => api.get(`/jobs/changes?company.id=${world.otherCompanyId}`),
    ],
    ['list', 403, 'company_forbidden', (api) => api.get(`/jobs?company.id=${world.otherCompanyId}`)],
    [
      'name on a new job',
      403,
      'company_forbidden',
      (api) => api.post('/jobs', jobBody(world.otherCompanyId)),
    ],
    [
      'category, renamed',
      404,
      'category_not_found',
      (api) => api.put(`/jobcategories/${theirs.categoryId}`, { name: 'Mine' }),
    ],
    [
      'category, deleted',
      404,
      'category_not_found',
      (api) => api.delete(`/jobcategories/${theirs.categoryId}`),
    ],
    [
      'name on a new category',
      403,
      'company_forbidden',
      (api) => api.post('/jobcategories', { name: 'Mine', ...company(world.otherCompanyId) }),
    ],
    [
      'category on a new job',
      422,
      'validation_failed',
      (api) => api.post('/jobs', jobBody(world.companyId, { categories: [{ id: theirs.categoryId }] })),
    ],
  ];

  it.each(attempts)('%s: %d', async (_what, status, code, attempt) => {
    const before = await readTheirJob();
    const { status: answered, json, text } = await attempt(world.api);
    expect([answered, json.code]).toEqual([status, code]);
    for (const secret of ['Theirs', theirs.referenceId]) expect(text).not.toContain(secret);
    expect(await readTheirJob()).toEqual(before);
  });

  it('ids get the same answer as ids that never existed', async () => {
    const unknownId = 2_147_483_647;
    const pairs = [
      ['GET', `/jobs/${theirs.jobId}`, `/jobs/${unknownId}`],
      ['GET', `/jobs/${theirs.jobId}/metrics`, `/jobs/${unknownId}/metrics`],
      ['DELETE', `/jobs/${theirs.jobId}`, `/jobs/${unknownId}`],
      ['DELETE', `/jobcategories/${theirs.categoryId}`, `/jobcategories/${unknownId}`],
    ] as const;
    for (const [method, foreign, unknown] of pairs) {
      const texts = [];
      for (const path of [foreign, unknown]) {
        const { status, text } = await world.api.send(path, { method, headers: { 'Request-Id': 'same' } });
        const named = `category ${path.split('/').at(-1)}`;
        texts.push(`${status} ${text.replace(path, 'PATH').replace(named, 'category ID')}`);
      }
      expect(texts[0]).toBe(texts[1]);
    }
  });

  it('reference is unused in the own company', async () => {
    const body = jobBody(world.companyId, { referenceId: theirs.referenceId });
    const { status, json } = await world.api.post('/jobs', body);
    expect([status, json.data.company.id]).toEqual([201, world.companyId]);
  });

  it('category name creates a category of the own company', async () => {
    const { json } = await world.api.post(
      '/jobs',
      jobBody(world.companyId, { categories: [{ name: 'Theirs' }] }),
    );
    expect(json.data.categories[0].id).not.toBe(theirs.categoryId);
  });
});

describe('a repeated parameter', () => {
  it.each(['company.id=%mine&company.id=%theirs', 'company.id=%theirs&company.id=%mine'])(
    'is refused: %s',
    async (query) => {
      const filled = query
        .replace('%mine', `${world.companyId}`)
        .replace('%theirs', `${world.otherCompanyId}`);
      const { status, json } = await world.api.get(`/jobs?${filled}`);
      expect([status, json.errors]).toEqual([
        400,
        [expect.objectContaining({ parameter: 'company.id', code: 'repeated' })],
      ]);
    },
  );

  it('in the query does not replace the company in the body', async () => {
    const { status } = await world.api.post(
      `/jobs?company.id=${world.companyId}`,
      jobBody(world.otherCompanyId),
    );
    expect(status).toBe(403);
  });

  it('in the body is refused', async () => {
    const text = JSON.stringify(jobBody(world.companyId));
    const twice = text.replace('{', `{"company":{"id":${world.otherCompanyId}},`);
    const { status, json } = await world.api.post('/jobs', undefined, { raw: twice });
    expect([status, json.code, json.errors]).toEqual([
      400,
      'malformed_json',
      [expect.objectContaining({ pointer: '#/company', code: 'repeated' })],
    ]);
  });
});

describe('unusable keys', () => {
  it('all get the same answer', async () => {
    const { operator, consumerKey, companyId, origin } = world;
    const expired = await operator.userKey([companyId], {
      expiresAt: new Date(Date.now() - 1000).toISOString(),
    });
    const revoked = await operator.userKey([companyId]);
    await operator.revoke(revoked.key.id);
    const good = world.userKey;
    const kinds = [
      undefined,
      'x',
      good.slice(0, -1),
      `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
      good.toUpperCase(),
      ` ${good}0`,
      `${good},${good}`,
      consumerKey,
      expired.secret,
      revoked.secret,
    ];
    const answers = new Set<string>();
    for (const user of kinds) {
      const api = createClient(origin, { consumer: consumerKey, user });
      const { status, text, headers } = await api.get('/jobs/1', { 'Request-Id': 'same' });
      const shown = [...headers].filter(([name]) => !['date', 'traceparent'].includes(name));
      answers.add(JSON.stringify([status, text, shown]));
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toContain('[401,');
  });
});
