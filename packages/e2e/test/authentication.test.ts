import { describe, expect, it } from '@jest/globals';
import { createClient, jobBody, useWorld } from '../src/index.ts';

const world = useWorld();

describe('401', () => {
  const secrets: [string, () => { consumer?: string; user?: string }][] = [
    ['no keys', () => ({})],
    ['no user key', () => ({ consumer: world.consumerKey })],
    ['no consumer key', () => ({ user: world.userKey })],
    ['a malformed key', () => ({ consumer: 'x', user: world.userKey })],
    ['an unknown key', () => ({ consumer: `${world.consumerKey.slice(0, -7)}0000000`, user: world.userKey })],
    ['the keys swapped', () => ({ consumer: world.userKey, user: world.consumerKey })],
  ];
  it.each(secrets)('for %s, with the same answer', async (_name, keys) => {
    const { status, headers, json } = await createClient(world.origin, keys()).get('/jobs/1');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Basic realm="Job Listing Service"');
    expect({ ...json, requestId: '' }).toEqual({
      data: null,
      warnings: [],
      type: expect.stringContaining('#unauthenticated'),
      title: expect.any(String),
      status: 401,
      detail: expect.any(String),
      instance: '/v1.0/jobs/1',
      code: 'unauthenticated',
      requestId: '',
      errors: [],
    });
  });

  it('comes before all other errors', async () => {
    const answer = await world.anonymous.post('/jobs', undefined, {
      raw: 'not json',
      contentType: 'text/plain',
    });
    expect(answer.status).toBe(401);
  });

  it('within 5 s of a revocation', async () => {
    const user = await world.operator.userKey([world.companyId]);
    const client = createClient(world.origin, { consumer: world.consumerKey, user: user.secret });
    expect((await client.get(`/jobs?company.id=${world.companyId}`)).status).toBe(200);
    await world.operator.revoke(user.key.id);
    const limit = Date.now() + 5000;
    let status = 200;
    while (status === 200 && Date.now() < limit)
      ({ status } = await client.get(`/jobs?company.id=${world.companyId}`));
    expect(status).toBe(401);
  });

  it('for an expired key', async () => {
    const user = await world.operator.userKey([world.companyId], {
      expiresAt: new Date(Date.now() - 1000).toISOString(),
    });
    const client = createClient(world.origin, { consumer: world.consumerKey, user: user.secret });
    expect((await client.get(`/jobs?company.id=${world.companyId}`)).status).toBe(401);
  });
});

describe('rotation', () => {
  it('keeps both secrets valid', async () => {
    const first = await world.operator.userKey([world.companyId]);
    const second = await world.operator.rotate(first.key.id);
    for (const { secret } of [first, second]) {
      const client = createClient(world.origin, { consumer: world.consumerKey, user: secret });
      expect((await client.get(`/jobs?company.id=${world.companyId}`)).status).toBe(200);
    }
  });
});

describe('a plain browser', () => {
  const basic = () => ({ Authorization: `Basic ${btoa(`${world.consumerKey}:${world.userKey}`)}` });

  it('reads with HTTP Basic', async () => {
    const { status } = await world.anonymous.get(`/jobs?company.id=${world.companyId}`, basic());
    expect(status).toBe(200);
  });

  it('cannot write with HTTP Basic', async () => {
    const { status } = await world.anonymous.post('/jobs', jobBody(world.companyId), { headers: basic() });
    expect(status).toBe(401);
  });
});
