import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createJob,
  deleteJob,
  deleteJobByReference,
  getJob,
  listJobs,
  type Operation,
  putJob,
  ServiceError,
  updateJob,
} from '@joblisting/contracts';
import type { Request, Result } from '@joblisting/service-kit';
import { job, jobHeader, jobReference, newJob } from '../src/routes/examples.ts';
import { ask, PUBLIC_URL, startGateway, type TestGateway } from './support/gateway.ts';
import { keys, principal } from './support/stand-ins.ts';

let gateway: TestGateway;
let seen: Pick<Request<Operation>, 'params' | 'body' | 'context'>[] = [];
const json = { ...keys, 'Content-Type': 'application/json; charset=UTF-8' };

beforeAll(async () => {
  gateway = await startGateway();
  const note =
    <O extends Operation>(result: Result<O>) =>
    async ({ params, body, context }: Request<O>) => {
      seen.push({ params, body, context });
      return result;
    };
  await gateway.standIn(createJob, note({ outcome: 'created', id: job.id, version: 1, data: job }));
  await gateway.standIn(getJob, async (request) => {
    if (request.params.id !== job.id) throw new ServiceError('job_not_found', 'There is no job 5.');
    return note<typeof getJob>({ version: 3, data: job })(request);
  });
  await gateway.standIn(
    listJobs,
    note({ data: [jobHeader], paging: { total: 120, pageSize: 50, page: 2, pages: 3 } }),
  );
  await gateway.standIn(putJob, note({ outcome: 'created', id: job.id, version: 1, data: job }));
  await gateway.standIn(updateJob, note({ version: 4, data: job }));
  await gateway.standIn(deleteJob, note({ outcome: 'deleted' }));
  await gateway.standIn(deleteJobByReference, note({ outcome: 'deleted' }));
});

afterAll(() => gateway.stop());
beforeEach(() => {
  seen = [];
});

describe('POST /jobs', () => {
  it('201 with Location and the envelope; the body is passed on as bytes', async () => {
    const answer = await ask(`${gateway.base}/jobs`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(newJob),
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${PUBLIC_URL}/v1.0/jobs/${job.id}`);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({ data: job, warnings: [] });
    expect(seen[0]?.body).toEqual(newJob);
    expect(seen[0]?.context.principal).toEqual(principal);
  });

  it('the warnings of the service are in the envelope', async () => {
    const answer = await ask(`${gateway.base}/jobs`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ ...newJob, colour: 'red' }),
    });
    expect(answer.body.warnings).toEqual([expect.objectContaining({ pointer: '#/colour' })]);
  });
});

describe('GET /jobs/{id}', () => {
  it('200 with an ETag of version and digest', async () => {
    const answer = await ask(`${gateway.base}/jobs/${job.id}`, { headers: keys });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: job, warnings: [] });
    expect(answer.headers.get('etag')).toMatch(/^"3-[\w-]{16}"$/);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(seen[0]?.params).toEqual({ id: job.id });
  });

  it('404 in the shape of every error', async () => {
    const answer = await ask(`${gateway.base}/jobs/5?x=1`, { headers: { ...keys, 'Request-Id': 'mine-1' } });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      data: null,
      warnings: [],
      type: `${PUBLIC_URL}/docs/errors#job_not_found`,
      title: 'No such job',
      status: 404,
      detail: 'There is no job 5.',
      instance: '/v1.0/jobs/5',
      code: 'job_not_found',
      requestId: 'mine-1',
      errors: [],
    });
  });
});

describe('GET /jobs', () => {
  it('200 with absolute paging links that keep the other parameters', async () => {
    const answer = await ask(`${gateway.base}/jobs?company.id=1&page=2&status.id=1`, { headers: keys });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      paging: {
        total: 120,
        pageSize: 50,
        page: 2,
        pages: 3,
        previous: `${PUBLIC_URL}/v1.0/jobs?company.id=1&page=1&status.id=1`,
        next: `${PUBLIC_URL}/v1.0/jobs?company.id=1&page=3&status.id=1`,
      },
      data: [jobHeader],
      warnings: [],
    });
    expect(seen[0]?.params).toEqual({ 'company.id': 1, page: 2, 'status.id': 1 });
  });
});

describe('PUT', () => {
  it('/jobs: 201 with Location where it created the job', async () => {
    const answer = await ask(`${gateway.base}/jobs`, {
      method: 'PUT',
      headers: json,
      body: JSON.stringify({ ...newJob, ...jobReference }),
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${PUBLIC_URL}/v1.0/jobs/${job.id}`);
  });

  it('/jobs/{id}: 200; If-Match is passed on', async () => {
    const answer = await ask(`${gateway.base}/jobs/${job.id}`, {
      method: 'PUT',
      headers: { ...json, 'If-Match': '"3-abc", "4-def"' },
      body: '{"status":{"id":2}}',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('location')).toBeNull();
    expect(seen[0]?.params).toEqual({ id: job.id, ifMatch: { any: false, versions: [3, 4] } });
    expect(seen[0]?.body).toEqual({ status: { id: 2 } });
  });
});

describe('DELETE', () => {
  it('/jobs/{id}: 204 without a body', async () => {
    const answer = await ask(`${gateway.base}/jobs/${job.id}`, { method: 'DELETE', headers: keys });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('content-type')).toBeNull();
  });

  it.each(['application/json', 'text/plain', undefined])(
    '/jobs: 204 for a JSON body whatever the Content-Type: %s',
    async (type) => {
      const answer = await ask(`${gateway.base}/jobs`, {
        method: 'DELETE',
        headers: type === undefined ? keys : { ...keys, 'Content-Type': type },
        body: Buffer.from(JSON.stringify(jobReference)),
      });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(seen[0]?.body).toEqual(jobReference);
    },
  );
});
