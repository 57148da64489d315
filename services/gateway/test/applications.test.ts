import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { application, applicationHeader, newApplication } from '../src/routes/examples.ts';
import {
  type ApplicationsWorld,
  companyKeys,
  json,
  site,
  startApplicationsWorld,
} from './support/applications.ts';
import { ask, PUBLIC_URL } from './support/gateway.ts';
import { principal, sitePrincipal, userKey } from './support/stand-ins.ts';

let world: ApplicationsWorld;
const send = (method: string, path: string, headers: object, body?: object) =>
  ask(world.gateway.base + path, {
    method,
    headers: { ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const apply = (headers: object = site) =>
  send('POST', '/jobs/4711/applications', { ...json, ...headers }, newApplication);
const refuseWith = (error: ServiceError) => {
  world.reply = () => {
    throw error;
  };
};

beforeAll(async () => {
  world = await startApplicationsWorld();
});
afterAll(() => world.stop());
beforeEach(() => world.reset());

describe('POST /jobs/{jobId}/applications', () => {
  it('201 with Location, and neither ETag nor paging', async () => {
    const answer = await apply();
    expect([answer.status, answer.body]).toEqual([201, { data: application, warnings: [] }]);
    expect(answer.headers.get('location')).toBe(`${PUBLIC_URL}/v1.0/applications/${application.id}`);
    expect(answer.headers.get('etag')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    const [request] = world.seen;
    expect(request).toMatchObject({
      subject: 'applications.v1.create',
      params: { jobId: 4711, contentType: 'application/json' },
      principal: sitePrincipal,
    });
    expect(JSON.parse(Buffer.from(request?.body ?? []).toString())).toEqual(newApplication);
  });

  it('200 without Location where an earlier request created it', async () => {
    world.reply = () => ({ outcome: 'ok' });
    const answer = await apply();
    expect([answer.status, answer.body.data.id]).toEqual([200, application.id]);
    expect(answer.headers.get('location')).toBeNull();
  });

  it('takes no notice of a user key', async () => {
    expect((await apply({ ...site, 'User-API-Key': userKey })).status).toBe(201);
    expect(world.seen[0]?.principal).toEqual(sitePrincipal);
  });

  it('401 without a consumer key', async () => {
    const answer = await apply({ 'User-API-Key': userKey });
    expect([answer.status, answer.body.detail]).toEqual([
      401,
      'A valid API key is needed: Consumer-API-Key.',
    ]);
    expect(world.seen).toEqual([]);
  });

  it('counts as a write of the consumer', async () => {
    expect((await apply()).headers.get('ratelimit-policy')).toMatch(/^"writes";/);
  });

  it('409 says the status of a job that is not open', async () => {
    const conflict = { resource: 'job', id: 4711, status: { id: 2, name: 'Closed' } } as const;
    refuseWith(new ServiceError('job_not_open', undefined, { conflict }));
    const answer = await apply();
    expect([answer.status, answer.body.code, answer.body.conflict]).toEqual([
      409,
      'job_not_open',
      { id: 4711, href: `${PUBLIC_URL}/v1.0/jobs/4711`, status: { id: 2, name: 'Closed' } },
    ]);
    expect(answer.body.instance).toBe('/v1.0/jobs/4711/applications');
  });

  it.each(['https://careers.example/17', null])(
    '409 says where applicants go instead: %s',
    async (applicationUrl) => {
      const conflict = { resource: 'job', id: 4711, applicationUrl } as const;
      refuseWith(new ServiceError('applications_not_collected', undefined, { conflict }));
      const { status, body } = await apply();
      expect([status, body.conflict]).toEqual([
        409,
        { id: 4711, href: `${PUBLIC_URL}/v1.0/jobs/4711`, applicationUrl },
      ]);
    },
  );
});

describe('GET /applications', () => {
  it('200 with headers of applications and links that keep the filters', async () => {
    const path = '/applications?company.id=1&job.id=4711&status=failed&pageSize=1&page=2';
    const { status, body } = await send('GET', path, companyKeys);
    expect([status, body.data]).toEqual([200, [applicationHeader]]);
    const link = (page: number) => PUBLIC_URL + `/v1.0${path}`.replace('page=2', `page=${page}`);
    expect(body.paging).toMatchObject({ total: 3, previous: link(1), next: link(3) });
    expect(world.seen).toMatchObject([
      {
        subject: 'applications.v1.list',
        params: { 'company.id': 1, 'job.id': 4711, status: 'failed', pageSize: 1, page: 2 },
        principal,
      },
    ]);
  });

  it('400 lists every invalid parameter', async () => {
    const { status, body } = await send('GET', '/applications?status=lost&job.id=x', companyKeys);
    expect(status).toBe(400);
    const found = body.errors.map((each: { parameter: string; code: string }) => [each.parameter, each.code]);
    expect(found).toEqual([
      ['status', 'invalid_value'],
      ['job.id', 'type'],
      ['company.id', 'required'],
    ]);
  });

  it('401 without a user key', async () => {
    expect((await send('GET', '/applications?company.id=1', site)).status).toBe(401);
  });
});

describe('GET /applications/{id}', () => {
  it('200 in full, without an ETag', async () => {
    const answer = await send('GET', '/applications/9001', companyKeys);
    expect([answer.status, answer.body.data]).toEqual([200, application]);
    expect(answer.headers.get('etag')).toBeNull();
    expect(world.seen).toMatchObject([{ subject: 'applications.v1.get', params: { id: 9001 } }]);
  });

  it('404 where the owner knows none', async () => {
    refuseWith(new ServiceError('application_not_found'));
    const { status, body } = await send('GET', '/applications/9001', companyKeys);
    expect([status, body.code]).toEqual([404, 'application_not_found']);
  });
});

describe('DELETE /applications/{id}', () => {
  it('204 without a body', async () => {
    const answer = await send('DELETE', '/applications/9001', companyKeys);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(world.seen).toMatchObject([{ subject: 'applications.v1.delete', params: { id: 9001 } }]);
  });
});

describe('DELETE /applications', () => {
  const erase = (query: string, method = 'DELETE', headers: object = {}) =>
    send(method, `/applications?${query}`, { ...companyKeys, ...headers });

  it.each([
    ['DELETE', {}],
    ['POST', { 'X-HTTP-Method-Override': 'DELETE' }],
  ])('%s %j: 200 with how many were erased', async (method, headers) => {
    const answer = await erase('company.id=1&email=ada%2Bcv@mail.example', method, headers);
    expect([answer.status, answer.body]).toEqual([200, { data: { erased: 2 }, warnings: [] }]);
    const params = { 'company.id': 1, email: 'ada+cv@mail.example' };
    expect(world.seen).toMatchObject([{ subject: 'applications.v1.erase', params }]);
  });

  it.each([
    ['company.id=1', 'required'],
    ['company.id=1&email=a@b.example&email=c@b.example', 'repeated'],
    [`company.id=1&email=${'x'.repeat(257)}`, 'too_long'],
  ])('400 for %s', async (query, code) => {
    const answer = await erase(query);
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ parameter: 'email', code }]]);
    expect(world.seen).toEqual([]);
  });
});

describe('POST /applications/{id}/copies', () => {
  const sentBody = () => JSON.parse(Buffer.from(world.seen[0]?.body ?? []).toString());

  it.each([
    ['all', { to: 'all' }],
    ['failed', {}],
  ])('200 with the copies: %s', async (_to, body) => {
    const answer = await send('POST', '/applications/9001/copies', { ...companyKeys, ...json }, body);
    expect([answer.status, answer.body.data]).toEqual([200, application.copies]);
    expect(sentBody()).toEqual(body);
  });

  it.each([{}, json, { 'Content-Type': 'text/plain' }])(
    'no body is an empty object, with %j',
    async (type) => {
      const answer = await send('POST', '/applications/9001/copies', { ...companyKeys, ...type });
      expect([answer.status, sentBody()]).toEqual([200, {}]);
      expect(world.seen[0]?.params).toEqual({ id: 9001 });
    },
  );
});

describe('every operation', () => {
  it('503 with Retry-After while the owner is away', async () => {
    await world.ownerLeaves();
    const answers = [
      await apply(),
      await send('GET', '/applications?company.id=1', companyKeys),
      await send('GET', '/applications/9001', companyKeys),
      await send('GET', '/applications/9001/files/1', companyKeys),
      await send('DELETE', '/applications/9001', companyKeys),
      await send('DELETE', '/applications?company.id=1&email=a@b.example', companyKeys),
      await send('POST', '/applications/9001/copies', companyKeys),
    ];
    for (const { status, body, headers } of answers) {
      expect([status, body.reason, headers.get('retry-after')]).toEqual([503, 'no_responder', '1']);
    }
  });
});
