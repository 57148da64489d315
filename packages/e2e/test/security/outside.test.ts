import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobBody, useWorld } from '../../src/index.ts';
import { requestRaw } from './raw.ts';

const world = useWorld();
let server: Server;
let visits = 0;
let elsewhere: string;

beforeAll(async () => {
  server = createServer((_request, response) => void response.end()).on('connection', () => visits++);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

describe('addresses from clients', () => {
  it('are stored, shown and never requested', async () => {
    const body = jobBody(world.companyId, {
      applicantRoutingType: { id: 2 },
      applicationUrl: `${elsewhere}/apply`,
      descriptionFormat: 'html',
      description: `<a href="${elsewhere}/link">x</a>`,
      employer: `${elsewhere}/employer`,
      city: `\${jndi:ldap:${elsewhere}}`,
    });
    const headers = {
      Referer: `${elsewhere}/referer`,
      Origin: elsewhere,
      'X-Forwarded-For': elsewhere,
      'X-Callback-Url': `${elsewhere}/callback`,
      traceparent: elsewhere,
    };
    const { status, json } = await world.api.post('/jobs', body, { headers });
    expect(status).toBe(201);
    const { json: read } = await world.api.get(`/jobs/${json.data.id}`);
    expect(read.data.applicationUrl).toBe(`${elsewhere}/apply`);
    const followed = await world.anonymous.send(json.data.url);
    expect(followed.headers.get('location')).not.toContain(elsewhere);
    await world.api.put(`/jobs/${json.data.id}`, { status: { id: 2 } });
    await world.api.delete(`/jobs/${json.data.id}`);
    expect(visits).toBe(0);
  });

  it.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://',
    'http:///path',
    '//evil.example',
    'http://user@evil.example',
    'https://jobs.example\\@evil.example',
    'http://exa mple',
    'http://a\u202e.example',
    'http://a.example/\u200b',
    'http://a.example/?"><b>',
    'http://a.example/`',
    '\thttp://a.example',
    'http://a.example\r\nLocation: http://evil.example',
  ])('%j is refused as applicationUrl', async (applicationUrl) => {
    const { status, json } = await world.api.post(
      '/jobs',
      jobBody(world.companyId, { applicantRoutingType: { id: 2 }, applicationUrl }),
    );
    expect(status).toBe(422);
    expect(json.errors).toEqual([
      expect.objectContaining({ pointer: '#/applicationUrl', code: 'invalid_url' }),
    ]);
  });

  it('a short link redirects to the search site only', async () => {
    for (const code of [
      '//evil.example',
      '%2f%2fevil.example',
      'http:%2f%2fevil.example',
      '..%2f..%2fevil',
    ]) {
      const { status, headers } = await requestRaw(world.origin, `/s/${code}`);
      expect([400, 404]).toContain(status);
      expect(headers['location']).toBeUndefined();
    }
  });
});

describe('an invalid traceparent', () => {
  const valid = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  it.each([
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    `${valid}-more`,
    valid.toUpperCase(),
    '$(id)',
    'x'.repeat(8000),
    "00-' || sleep(5)-x-01",
    `${valid}\u00ff`,
  ])('is replaced: %j', async (traceparent) => {
    const { status, headers } = await requestRaw(world.origin, '/v1.0/jobtypes', { traceparent });
    expect(status).toBe(200);
    expect(headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/);
    expect(headers['traceparent']).not.toContain('4bf92f3577b34da6a3ce929d0e0e4736');
  });
});

describe('errors', () => {
  const inner = /node_modules|\.ts\b|\\n +at |\bMongo|mongo|nats|NATS|ajv|fastify|ECONN|stack|SELECT|_id\b/;
  it.each([
    ['a broken body', 'POST', '/v1.0/jobs', '{"title":'],
    ['a body of another shape', 'POST', '/v1.0/jobs', '[[[]]]'],
    ['a body that breaks every rule', 'POST', '/v1.0/jobs', '{"company":5,"title":{},"publishDate":[]}'],
    ['a wrong parameter', 'GET', '/v1.0/jobs?company.id=%27%20OR%201=1', undefined],
    ['a path that cannot be decoded', 'GET', '/v1.0/jobs/%ff', undefined],
    ['a path that does not exist', 'GET', '/v1.0/%2e%2e/internal', undefined],
    ['a method that is not there', 'TRACE', '/v1.0/jobs', undefined],
    ['a job that does not exist', 'GET', '/v1.0/jobs/2147483647', undefined],
  ])('reveal no internals: %s', async (_what, method, path, body) => {
    const headers = {
      'Consumer-API-Key': world.consumerKey,
      'User-API-Key': world.userKey,
      'Content-Type': 'application/json',
    };
    const { status, text } = await requestRaw(world.origin, path, headers, {
      method,
      ...(body !== undefined && { body }),
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toMatch(inner);
    expect(text).not.toContain(world.consumerKey);
  });
});
