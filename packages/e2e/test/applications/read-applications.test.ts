import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient, jobBody, multipart, pdf, useWorld } from '../../src/index.ts';

const world = useWorld();
const content = pdf('to download');
let site: Client;
let company: Client;
let otherCompany: Client;
/** Reads the bytes of an answer. */
let download: (path: string, headers?: Record<string, string>) => Promise<Response>;
let jobId: number;
let applicationId: number;

const apply = async (id: number, body: object) =>
  (await site.post(`/jobs/${id}/applications`, body)).json.data.id as number;
const newJob = async () => (await world.api.post('/jobs', jobBody(world.companyId))).json.data.id as number;
const applicant = (name: string) => ({ name, email: `${crypto.randomUUID()}@example.com` });

beforeAll(async () => {
  const { operator, origin, userKey, otherCompanyId } = world;
  site = createClient(origin, { consumer: (await operator.consumerKey(['applications:write'])).secret });
  const { secret: consumer } = await operator.consumerKey(['applications:read', 'applications:write']);
  const { secret: otherUser } = await operator.userKey([otherCompanyId]);
  company = createClient(origin, { consumer, user: userKey });
  otherCompany = createClient(origin, { consumer, user: otherUser });
  const keys = { 'Consumer-API-Key': consumer, 'User-API-Key': userKey };
  download = (path, headers = {}) => fetch(`${origin}/v1.0${path}`, { headers: { ...keys, ...headers } });
  jobId = await newJob();
  const body = await multipart({ applicant: applicant('With a file') }, [{ name: 'Zoë "CV".pdf', content }]);
  applicationId = (await site.send(`/jobs/${jobId}/applications`, body)).json.data.id;
});

describe('GET /applications › 200', () => {
  it('lists headers, newest first, of the company or one of its jobs', async () => {
    const otherJob = await newJob();
    const ids = [];
    for (const name of ['First', 'Second', 'Third']) {
      ids.push(await apply(otherJob, { applicant: applicant(name) }));
    }
    const query = `company.id=${world.companyId}&job.id=${otherJob}`;
    const { json } = await company.get(`/applications?${query}&pageSize=2`);
    expect(json.data.map(({ id }: { id: number }) => id)).toEqual(ids.toReversed().slice(0, 2));
    expect(json.paging).toMatchObject({ total: 3, pages: 2, previous: null });
    const next = await company.send(json.paging.next);
    expect(next.json.data.map(({ id }: { id: number }) => id)).toEqual([ids[0]]);
    for (const name of ['coverLetter', 'answers', 'files', 'copies']) {
      expect(json.data[0]).not.toHaveProperty(name);
    }
    const all = await company.get(`/applications?company.id=${world.companyId}`);
    const listed = all.json.data.map(({ id }: { id: number }) => id);
    expect(listed).toEqual(expect.arrayContaining([...ids, applicationId]));
  });

  it('has no application of a foreign job under the own company', async () => {
    const query = `company.id=${world.otherCompanyId}&job.id=${jobId}`;
    const { status, json } = await otherCompany.get(`/applications?${query}`);
    expect([status, json.data]).toEqual([200, []]);
  });
});

describe('GET /applications/{id}/files/{fileId}', () => {
  const path = () => `/applications/${applicationId}/files/1`;

  it('200 with the bytes as an attachment, then 304 for its ETag', async () => {
    const answer = await download(path());
    expect(answer.status).toBe(200);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(content);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; filename=.*filename\*=UTF-8''Zo%C3%AB/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    const again = await download(path(), { 'If-None-Match': answer.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  it('404 for keys of another company, as for a file that does not exist', async () => {
    expect((await otherCompany.get(path())).json.code).toBe('application_not_found');
    expect((await company.get(`/applications/${applicationId}/files/2`)).json.code).toBe('file_not_found');
  });
});

describe('DELETE /jobs/{id}', () => {
  it('keeps the applications of the job readable, with their files', async () => {
    const deletedJob = await newJob();
    const body = await multipart({ applicant: applicant('Stays') }, [{ name: 'cv.pdf', content }]);
    const { json } = await site.send(`/jobs/${deletedJob}/applications`, body);
    expect((await world.api.delete(`/jobs/${deletedJob}`)).status).toBe(204);
    const read = await company.get(`/applications/${json.data.id}`);
    expect(read.status).toBe(200);
    expect(read.json.data).toMatchObject(json.data);
    const query = `company.id=${world.companyId}&job.id=${deletedJob}`;
    expect((await company.get(`/applications?${query}`)).json.paging.total).toBe(1);
    const file = await download(`/applications/${json.data.id}/files/1`);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(content);
  });
});
