import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { createClient, jobBody, useWorld } from '../src/index.ts';

const world = useWorld();

/** A client whose consumer key has these limits. */
async function clientWith(limits: { readsPerMinute?: number; writesPerMinute?: number }) {
  const { secret } = await world.operator.consumerKey(['jobs:read', 'jobs:write'], limits);
  return createClient(world.origin, { consumer: secret, user: world.userKey });
}

const fields = (value: string | null) =>
  Object.fromEntries((value ?? '').split(';').map((part) => part.split('=') as [string, string]));

/** Limits restart each minute, so a test must not start at the end of one. */
const startOfMinute = () =>
  waitFor(() => 60_000 - (Date.now() % 60_000) > 10_000, { limitMs: 15_000, what: 'the next minute' });

describe('a consumer key with 5 writes a minute', () => {
  it('gets 429 with Retry-After for the sixth write; reads still work', async () => {
    const client = await clientWith({ writesPerMinute: 5 });
    await startOfMinute();
    const answers = [];
    for (let each = 0; each < 6; each++) answers.push(await client.post('/jobs', jobBody(world.companyId)));

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429]);
    expect(answers.map(({ headers }) => fields(headers.get('ratelimit'))['r'])).toEqual([
      '4',
      '3',
      '2',
      '1',
      '0',
      '0',
    ]);
    for (const { headers } of answers) expect(headers.get('ratelimit-policy')).toBe('"writes";q=5;w=60');
    const refused = answers.at(-1)!;
    expect(refused.json).toMatchObject({ code: 'rate_limited', status: 429, data: null, warnings: [] });
    expect(refused.headers.get('retry-after')).toBe(fields(refused.headers.get('ratelimit'))['t']);

    const read = await client.get(answers[0]?.headers.get('location') ?? '');
    expect([read.status, read.headers.get('ratelimit-policy')]).toEqual([200, '"reads";q=60000;w=60']);
  }, 90_000);

  it('is not charged for 304 answers', async () => {
    const { headers } = await world.api.post('/jobs', jobBody(world.companyId));
    const address = headers.get('location')!;
    const client = await clientWith({ readsPerMinute: 2 });
    await startOfMinute();
    const first = await client.get(address);
    for (let each = 0; each < 5; each++) {
      const again = await client.get(address, { 'If-None-Match': first.headers.get('etag')! });
      expect([again.status, fields(again.headers.get('ratelimit'))['r']]).toEqual([304, '1']);
    }
    expect((await client.get(address)).status).toBe(200);
    expect((await client.get(address)).status).toBe(429);
  }, 90_000);
});
