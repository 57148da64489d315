import { beforeAll, describe, expect, it } from '@jest/globals';
import { scopes } from '@joblisting/contracts';
import { type Client, createClient, createdId, jobBody, multipart, pdf, useWorld } from '../../src/index.ts';

const EMAIL = 'theirs@example.com';
const UNKNOWN_ID = 2_147_483_647;

const world = useWorld();
/** Clients with every scope: of either company, and of a search site, without a user key. */
let api: Client;
let otherApi: Client;
let site: Client;
/** Of the other company. */
let jobId: number;
let applicationId: number;

beforeAll(async () => {
  const { operator, origin, userKey, otherCompanyId } = world;
  const { secret: consumer } = await operator.consumerKey(scopes);
  const { secret: otherUser } = await operator.userKey([otherCompanyId]);
  api = createClient(origin, { consumer, user: userKey });
  otherApi = createClient(origin, { consumer, user: otherUser });
  site = createClient(origin, { consumer });
  const body = jobBody(otherCompanyId, { title: 'Theirs', applicationEmails: ['hr@theirs.example'] });
  jobId = await createdId(() => otherApi.post('/jobs', body));
  const application = await multipart({ applicant: { name: 'Theirs', email: EMAIL } }, [
    { name: 'Theirs.pdf', content: pdf() },
  ]);
  applicationId = await createdId(() => site.send(`/jobs/${jobId}/applications`, application));
});

const readTheirs = async () => (await otherApi.get(`/applications/${applicationId}`)).json.data;
const override = { headers: { 'X-HTTP-Method-Override': 'DELETE' } };

describe("another company's application", () => {
  const attempts: [string, (id: number) => ReturnType<Client['get']>][] = [
    ['read', (id) => api.get(`/applications/${id}`)],
    ['its file', (id) => api.get(`/applications/${id}/files/1`)],
    ['its copies sent', (id) => api.post(`/applications/${id}/copies`, { to: 'all' })],
    ['erased', (id) => api.delete(`/applications/${id}`)],
    ['erased by method override', (id) => api.post(`/applications/${id}`, undefined, override)],
  ];

  it.each(attempts)('%s: 404, as for an id that never existed', async (_what, attempt) => {
    const before = await readTheirs();
    const answers = [];
    for (const id of [applicationId, UNKNOWN_ID]) {
      const { status, json, text } = await attempt(id);
      expect([status, json.code]).toEqual([404, 'application_not_found']);
      const { requestId: _requestId, ...shown } = JSON.parse(
        text.replace(`/applications/${id}`, '/applications/ID'),
      );
      answers.push(shown);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(JSON.stringify(answers)).not.toMatch(/theirs/i);
    expect(await readTheirs()).toEqual(before);
  });

  const requests: [string, (query: string) => ReturnType<Client['get']>][] = [
    ['listed', (query) => api.get(`/applications?${query}`)],
    ['listed by its job', (query) => api.get(`/applications?${query}&job.id=${jobId}`)],
    ['erased by its e-mail address', (query) => api.delete(`/applications?${query}&email=${EMAIL}`)],
  ];

  it.each(requests)('%s: 403', async (_what, request) => {
    const { status, json } = await request(`company.id=${world.otherCompanyId}`);
    expect([status, json.code]).toEqual([403, 'company_forbidden']);
    expect(await readTheirs()).toMatchObject({ id: applicationId });
  });

  it('is not among those of the own company, by its job or its e-mail address', async () => {
    const own = `/applications?company.id=${world.companyId}`;
    const listed = await api.get(`${own}&job.id=${jobId}`);
    expect([listed.status, listed.json.data]).toEqual([200, []]);
    const erased = await api.delete(`${own}&email=${EMAIL}`);
    expect([erased.status, erased.json.data]).toEqual([200, { erased: 0 }]);
    expect(await readTheirs()).toMatchObject({ id: applicationId });
  });

  it('is not shown to the search site that handed it in', async () => {
    const paths = ['', `/${applicationId}`, `/${applicationId}/files/1`];
    for (const path of paths) {
      const { status } = await site.get(`/applications${path}?company.id=${world.otherCompanyId}`);
      expect([path, status]).toEqual([path, 401]);
    }
  });
});
