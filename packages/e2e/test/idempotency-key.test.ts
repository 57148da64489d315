import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { type Answer, type Client, createClient, jobBody, newReference, useWorld } from '../src/index.ts';

const world = useWorld();
let site: Client;
let jobId: number;
beforeAll(async () => {
  site = createClient(world.origin, {
    consumer: (await world.operator.consumerKey(['metrics:write'])).secret,
  });
  jobId = (await world.api.post('/jobs', jobBody(world.companyId))).json.data.id;
});

const newKey = () => crypto.randomUUID();
const newName = () => `Category ${crypto.randomUUID()}`;
const newEvent = () => ({ id: crypto.randomUUID(), jobId, type: 'view' });
const keyed = (key: string, more: Record<string, string> = {}) => ({
  headers: { 'Idempotency-Key': key, ...more },
});
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');

interface Post {
  readonly path: string;
  readonly status: number;
  readonly client: () => Client;
  /** A new valid body that causes warnings. */
  readonly body: () => Record<string, unknown>;
}
const posts: Post[] = [
  {
    path: '/jobs',
    status: 201,
    client: () => world.api,
    body: () =>
      jobBody(world.companyId, {
        categories: [{ name: newName() }, { id: 1 }],
        description: 'More than <5> roses.',
        odd: 1,
      }),
  },
  {
    path: '/jobcategories',
    status: 201,
    client: () => world.api,
    body: () => ({ name: newName(), company: { id: world.companyId }, odd: 1 }),
  },
  {
    path: '/metrics/events',
    status: 200,
    client: () => site,
    body: () => ({ events: [newEvent(), newEvent()], odd: 1 }),
  },
];

function expectReplay(again: Answer, first: Answer): void {
  expect(replayed(again)).toBe('true');
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  for (const name of ['location', 'etag', 'content-type', 'cache-control']) {
    expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
  }
}

describe.each(posts)('POST $path', ({ path, status, client, body }) => {
  it('repeats the first answer with warnings and headers', async () => {
    const [sent, key] = [body(), newKey()];
    const first = await client().post(path, sent, keyed(key));
    expect([first.status, replayed(first)]).toEqual([status, null]);
    expect(first.json.warnings.length).toBeGreaterThan(0);
    for (let time = 0; time < 3; time++) expectReplay(await client().post(path, sent, keyed(key)), first);
  });

  it('runs once for 30 concurrent clients that retry until they get the answer', async () => {
    const [sent, key] = [body(), newKey()];
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        waitFor(
          async () => {
            const answer = await client().post(path, sent, keyed(key));
            if (answer.status !== 409) return answer;
            expect([answer.json.code, answer.headers.get('retry-after')]).toEqual([
              'idempotency_key_in_flight',
              '1',
            ]);
            return undefined;
          },
          { what: 'an answer' },
        ),
      ),
    );
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    const [one, ...others] = answers;
    for (const other of others) expect([other.status, other.text]).toEqual([status, one?.text]);
  });

  it('answers 422 for another body, and for the same body formatted differently', async () => {
    const [sent, key] = [body(), newKey()];
    await client().post(path, sent, keyed(key));
    const others = [{ body: body() }, { raw: JSON.stringify(sent, undefined, 1) }];
    for (const other of others) {
      const answer = await client().send(path, { method: 'POST', ...other, ...keyed(key) });
      expect([answer.status, answer.json.code]).toEqual([422, 'idempotency_key_reused']);
    }
  });

  it('does not use up the key of a refused request', async () => {
    const [sent, key] = [body(), newKey()];
    expect((await client().post(path, {}, keyed(key))).status).toBe(422);
    const answer = await client().post(path, sent, keyed(key));
    expect([answer.status, replayed(answer)]).toEqual([status, null]);
  });

  it.each([
    ['nothing', ''],
    ['a space', 'a b'],
    ['256 characters', 'x'.repeat(256)],
    ['a letter beyond ASCII', '\u00e9'],
  ])('answers 400 for a key of %s', async (_what, key) => {
    const answer = await client().post(path, body(), keyed(key));
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_header']);
    expect(answer.json.errors).toMatchObject([{ header: 'Idempotency-Key' }]);
  });

  it('accepts a key of 255 characters', async () => {
    const key = newKey().padEnd(255, '!~');
    const sent = body();
    const first = await client().post(path, sent, keyed(key));
    expectReplay(await client().post(path, sent, keyed(key)), first);
  });
});

describe('a replayed answer', () => {
  it('is the created job, even after it changed or was deleted', async () => {
    const [sent, key] = [jobBody(world.companyId, { referenceId: newReference() }), newKey()];
    const first = await world.api.post('/jobs', sent, keyed(key));
    const path = `/jobs/${first.json.data.id}`;
    expect((await world.api.put(path, { title: 'Another title' })).status).toBe(200);
    expectReplay(await world.api.post('/jobs', sent, keyed(key)), first);
    expect((await world.api.delete(path)).status).toBe(204);
    expectReplay(await world.api.post('/jobs', sent, keyed(key)), first);
    expect((await world.api.get(path)).status).toBe(404);
    // Another key makes a new job, because the reference is unused again.
    const second = await world.api.post('/jobs', sent, keyed(newKey()));
    expect(second.status).toBe(201);
    expect(second.json.data.id).not.toBe(first.json.data.id);
  });

  it('is the created category, even after it was deleted', async () => {
    const [sent, key] = [{ name: newName(), company: { id: world.companyId } }, newKey()];
    const first = await world.api.post('/jobcategories', sent, keyed(key));
    await world.api.delete(`/jobcategories/${first.json.data.id}`);
    expectReplay(await world.api.post('/jobcategories', sent, keyed(key)), first);
  });

  it('is the first receipt, while the same batch without the key reports duplicates', async () => {
    const [sent, key] = [{ events: [newEvent(), newEvent()] }, newKey()];
    const first = await site.post('/metrics/events', sent, keyed(key));
    expect(first.json.data).toEqual({ accepted: 2, duplicates: 0, rejected: [] });
    expect((await site.post('/metrics/events', sent)).json.data.duplicates).toBe(2);
    expectReplay(await site.post('/metrics/events', sent, keyed(key)), first);
  });

  it('is the first receipt for NDJSON too', async () => {
    const raw = `${JSON.stringify(newEvent())}\n`;
    const more = { method: 'POST', raw, contentType: 'application/x-ndjson', ...keyed(newKey()) };
    const first = await site.send('/metrics/events', more);
    expect([first.status, first.json.data.accepted]).toEqual([200, 1]);
    expectReplay(await site.send('/metrics/events', more), first);
  });
});

describe('the same key is unused', () => {
  it('for another consumer, another user and another path', async () => {
    const key = newKey();
    const name = newName();
    await world.api.post('/jobs', jobBody(world.companyId), keyed(key));
    const consumer = (await world.operator.consumerKey()).secret;
    const user = (await world.operator.userKey([world.companyId])).secret;
    const answers = [
      await createClient(world.origin, { consumer, user: world.userKey }).post(
        '/jobs',
        jobBody(world.companyId),
        keyed(key),
      ),
      await createClient(world.origin, { consumer: world.consumerKey, user }).post(
        '/jobs',
        jobBody(world.companyId),
        keyed(key),
      ),
      await world.api.post('/jobcategories', { name, company: { id: world.companyId } }, keyed(key)),
    ];
    expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual([
      [201, null],
      [201, null],
      [201, null],
    ]);
  });
});

describe('Idempotency-Key is ignored', () => {
  it('on PUT, DELETE and GET, and on a POST that overrides to one of them', async () => {
    const key = newKey();
    const reference = { referenceId: newReference(), company: { id: world.companyId } };
    const override = (method: string) => keyed(key, { 'X-HTTP-Method-Override': method });
    const full = jobBody(world.companyId, reference);
    const answers = [
      await world.api.post('/jobs', full, override('PUT')),
      await world.api.put('/jobs', { ...reference, title: 'One' }, keyed(key)),
      await world.api.put('/jobs', { ...reference, title: 'Two' }, keyed('not a key')),
      await world.api.get(`/jobs?company.id=${world.companyId}`, keyed(key).headers),
      await world.api.post('/jobs', reference, override('DELETE')),
      await world.api.post('/jobs', full, keyed(key)),
      await world.api.delete('/jobs', reference, keyed(key)),
    ];
    expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual(
      [201, 200, 200, 200, 204, 201, 204].map((status) => [status, null]),
    );
  });
});
