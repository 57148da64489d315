import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import {
  type Client,
  createClient,
  jobBody,
  multipart,
  newReference,
  pdf,
  useWorld,
} from '../../src/index.ts';

const COUNT_LIMIT_MS = 2000;

const world = useWorld();
/** The server of the search site, and the people of the company. */
let site: Client;
let company: Client;
beforeAll(async () => {
  const { operator, origin, userKey } = world;
  site = createClient(origin, {
    consumer: (await operator.consumerKey(['applications:write', 'metrics:write'])).secret,
  });
  const { secret } = await operator.consumerKey(['applications:read', 'jobs:read']);
  company = createClient(origin, { consumer: secret, user: userKey });
});

const newJob = async (overrides: Record<string, unknown> = {}): Promise<number> =>
  (await world.api.post('/jobs', jobBody(world.companyId, overrides))).json.data.id;
const newApplicant = () => ({ name: 'Ada Lovelace', email: `${crypto.randomUUID()}@example.com` });
const apply = (jobId: number, body: object, headers: Record<string, string> = {}) =>
  site.post(`/jobs/${jobId}/applications`, body, { headers });
const applicationCount = async (jobId: number): Promise<number> =>
  (await world.api.get(`/jobs/${jobId}`)).json.data.applicationCount;

describe('POST /jobs/{jobId}/applications › 201', () => {
  it('JSON: answers with Location and the application', async () => {
    const jobId = await newJob({ referenceId: newReference(), applicationEmails: ['hr@acme.example'] });
    const job = (await world.api.get(`/jobs/${jobId}`)).json.data;
    const sent = {
      applicant: { ...newApplicant(), phone: '+1 555 0100', location: 'London' },
      coverLetter: 'First line\nSecond line',
      answers: [{ question: 'Bees?', answer: 'Many' }],
      referenceId: newReference(),
      source: 'newsletter',
      consentAt: '2026-03-10T15:15:00Z',
    };
    const { status, headers, json } = await apply(jobId, sent);
    expect([status, json.warnings]).toEqual([201, []]);
    expect(json.data).toEqual({
      ...sent,
      id: expect.any(Number),
      job: { id: jobId, referenceId: job.referenceId, title: job.title },
      company: { id: world.companyId },
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      previousApplicationId: null,
      files: [],
    });
    expect(headers.get('location')).toBe(`${world.origin}/v1.0/applications/${json.data.id}`);
    const read = await company.send(headers.get('location') ?? '');
    expect(read.status).toBe(200);
    // Only the company sees whom it tells.
    expect(read.json.data).toMatchObject({
      ...json.data,
      copies: [{ email: 'hr@acme.example', state: 'queued', attempts: 0, response: null }],
    });
  });

  it('multipart: keeps five files, whose types follow from their bytes', async () => {
    const jobId = await newJob();
    const text = Uint8Array.from(Buffer.from('Just text: Zoë'));
    const files = [
      { name: 'C:\\cv\\Zoë, 2.pdf', content: pdf() },
      { name: 'letter.exe', content: text },
      ...[3, 4, 5].map((number) => ({ name: `${number}.pdf`, content: pdf(`${number}`) })),
    ];
    const body = await multipart({ applicant: newApplicant() }, files);
    const { status, json } = await site.send(`/jobs/${jobId}/applications`, body);
    expect(status).toBe(201);
    const shown = json.data.files.map((file: Record<string, unknown>) => [file['name'], file['type']]);
    expect(shown).toEqual([
      ['Zoë, 2.pdf', 'application/pdf'],
      ['letter.exe.txt', 'text/plain'],
      ...[3, 4, 5].map((number) => [`${number}.pdf`, 'application/pdf']),
    ]);
    expect(json.data.files[1].size).toBe(text.length);
  });

  it('counts once within 2 s, also where the search site reports it as well', async () => {
    const jobId = await newJob();
    const { json } = await apply(jobId, { applicant: newApplicant() });
    await waitFor(async () => (await applicationCount(jobId)) === 1, {
      what: 'applicationCount 1',
      limitMs: COUNT_LIMIT_MS,
    });
    const reported = [
      { id: `application:${json.data.id}`, jobId, type: 'application' },
      { id: crypto.randomUUID(), jobId, type: 'view' },
    ];
    const receipt = await site.post('/metrics/events', { events: reported });
    expect(receipt.json.data).toEqual({ accepted: 1, duplicates: 1, rejected: [] });
    await waitFor(async () => (await world.api.get(`/jobs/${jobId}`)).json.data.viewCount === 1, {
      what: 'the view that was reported with it',
    });
    expect(await applicationCount(jobId)).toBe(1);
  });

  it('other content of the same person is a new application that names the previous one', async () => {
    const jobId = await newJob();
    const applicant = newApplicant();
    const first = await apply(jobId, { applicant });
    const second = await apply(jobId, { applicant, coverLetter: 'One more thing' });
    expect([second.status, second.json.data.previousApplicationId]).toEqual([201, first.json.data.id]);
    await waitFor(async () => (await applicationCount(jobId)) === 2, { what: 'applicationCount 2' });
  });

  it('replays the answer to an Idempotency-Key, whatever boundary the parts have', async () => {
    const jobId = await newJob();
    const application = { applicant: newApplicant() };
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const send = async () => {
      const body = await multipart(application, [{ name: 'cv.pdf', content: pdf() }]);
      return site.send(`/jobs/${jobId}/applications`, { ...body, headers });
    };
    const [first, again] = [await send(), await send()];
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
  });
});

describe('POST /jobs/{jobId}/applications › 200', () => {
  it('the same referenceId answers with the first application', async () => {
    const jobId = await newJob();
    const sent = { applicant: newApplicant(), referenceId: newReference() };
    const first = await apply(jobId, sent);
    const again = await apply(jobId, { ...sent, coverLetter: 'changed' });
    expect([again.status, again.json.data]).toEqual([200, first.json.data]);
    expect(again.headers.get('location')).toBeNull();
  });

  it('one referenceId of two consumers, or for two jobs, is two applications', async () => {
    const jobIds = [await newJob(), await newJob()] as const;
    const { secret } = await world.operator.consumerKey(['applications:write']);
    const otherSite = createClient(world.origin, { consumer: secret });
    const sent = { applicant: newApplicant(), referenceId: newReference() };
    const answers = [
      await apply(jobIds[0], sent),
      await apply(jobIds[1], sent),
      await otherSite.post(`/jobs/${jobIds[0]}/applications`, sent),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(3);
  });

  it('twenty double clicks at once are one application', async () => {
    const jobId = await newJob();
    const sent = { applicant: newApplicant() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => apply(jobId, sent)));
    expect(new Set(answers.map(({ json }) => json.data?.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    await waitFor(async () => (await applicationCount(jobId)) === 1, { what: 'applicationCount 1' });
  });
});

describe('POST /jobs/{jobId}/applications › refused', () => {
  it('404 for a job that does not exist, or was deleted', async () => {
    const jobId = await newJob();
    await world.api.delete(`/jobs/${jobId}`);
    for (const id of [jobId, 2_147_483_647]) {
      const { status, json } = await apply(id, { applicant: newApplicant() });
      expect([status, json.code]).toEqual([404, 'job_not_found']);
    }
  });

  it('409 job_not_open for a closed job, with its status', async () => {
    const jobId = await newJob();
    await world.api.put(`/jobs/${jobId}`, { status: { id: 2 } });
    const { status, json } = await apply(jobId, { applicant: newApplicant() });
    expect([status, json.code]).toEqual([409, 'job_not_open']);
    expect(json.conflict).toEqual({
      id: jobId,
      href: `${world.origin}/v1.0/jobs/${jobId}`,
      status: { id: 2, name: 'Closed' },
    });
    await world.api.put(`/jobs/${jobId}`, { status: { id: 1 } });
    expect((await apply(jobId, { applicant: newApplicant() })).status).toBe(201);
  });

  it('409 job_not_open before the publish date', async () => {
    const jobId = await newJob({ publishDate: '2999-01-01', closeDate: '2999-02-01' });
    const { status, json } = await apply(jobId, { applicant: newApplicant() });
    expect([status, json.code, json.conflict.status.name]).toEqual([409, 'job_not_open', 'Pending']);
  });

  it('409 applications_not_collected for a click-through job, with its applicationUrl', async () => {
    const applicationUrl = 'https://acme.example/apply';
    const jobId = await newJob({ applicantRoutingType: { id: 2 }, applicationUrl });
    const { status, json } = await apply(jobId, { applicant: newApplicant() });
    expect([status, json.code, json.conflict.applicationUrl]).toEqual([
      409,
      'applications_not_collected',
      applicationUrl,
    ]);
  });
});
