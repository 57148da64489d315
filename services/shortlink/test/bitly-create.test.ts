import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startBitlyServer } from '@joblisting/testing';
import { AFTER_FAILURE_MS, fallback, type RunningWithBitly, runWithBitly } from './running-shortlink.ts';

const bitlink = { url: expect.stringMatching(/^https:\/\/bit\.ly\/[0-9a-z]+$/), final: true };
const answer = (body: unknown) => ({ status: 201, body: JSON.stringify(body) });
const id = 'bit.ly/abc';

describe('createLink with bitly', () => {
  let shortlink: RunningWithBitly;
  afterEach(() => shortlink.stop());

  it('asks with the configured domain and group, once', async () => {
    shortlink = await runWithBitly({ BITLY_DOMAIN: 'job.example', BITLY_GROUP: 'Ba1bc23dE4F' });
    const { bitly } = shortlink;
    const first = await shortlink.createLink(1);
    expect(first).toEqual({ url: expect.stringMatching(/^https:\/\/job\.example\//), final: true });
    bitly.behave('hang');
    expect(await shortlink.createLink(1)).toEqual(first);
    expect(bitly.calls).toEqual([
      {
        method: 'POST',
        path: '/v4/shorten',
        authorization: `Bearer ${bitly.token}`,
        body: expect.any(String),
      },
    ]);
    expect(JSON.parse(bitly.calls[0]?.body ?? '')).toEqual({
      long_url: 'https://search.example.com/Share/Job1',
      domain: 'job.example',
      group_guid: 'Ba1bc23dE4F',
    });
  });

  it('keeps an address when the provider becomes builtin, and vice versa', async () => {
    shortlink = await runWithBitly();
    const { bitly } = shortlink;
    const byBitly = await shortlink.createLink(1);
    bitly.behave({ status: 403 });
    expect(await shortlink.createLink(2)).toEqual(fallback(2));

    await shortlink.stopReplicas();
    await shortlink.addReplica({ SHORTLINK_PROVIDER: 'builtin' });
    expect(await shortlink.createLink(1)).toEqual(byBitly);
    const builtin = await shortlink.createLink(2);
    expect(builtin).toEqual({
      url: expect.stringMatching(/^https:\/\/jobs\.example\.com\/s\//),
      final: true,
    });

    await shortlink.stopReplicas();
    bitly.behave('fine');
    await shortlink.addReplica();
    expect(await shortlink.createLink(1)).toEqual(byBitly);
    expect(await shortlink.createLink(2)).toEqual(builtin);
    expect(await shortlink.createLink(3)).toEqual(bitlink);
  });

  it('makes the links of 40 jobs at once over at most four connections, and the fallback of the rest', async () => {
    shortlink = await runWithBitly();
    const jobIds = Array.from({ length: 40 }, (_, index) => index + 1);
    const links = await Promise.all(jobIds.map((jobId) => shortlink.createLink(jobId)));
    const urls = links.filter(({ final }) => final).map(({ url }) => url);
    expect(new Set(urls).size).toBe(shortlink.bitly.links.size);
    expect(urls.length).toBeGreaterThan(0);
    expect(shortlink.bitly.connections()).toBeLessThanOrEqual(4);
  });

  it.each(['hang', 'stall', 'mute'] as const)(
    'answers with the fallback before the deadline when bitly does not answer: %s',
    async (behaviour) => {
      shortlink = await runWithBitly();
      await shortlink.createLink(1);
      shortlink.bitly.behave(behaviour);
      expect(await shortlink.createLink(2, 400)).toEqual(fallback(2));
    },
  );

  it('does not follow a redirect: the token goes nowhere else', async () => {
    shortlink = await runWithBitly();
    const other = await startBitlyServer();
    shortlink.bitly.behave({ status: 307, headers: { location: `${other.url}/v4/shorten` } });
    expect(await shortlink.createLink(1)).toEqual(fallback(1));
    expect(other.calls).toEqual([]);
    await other.stop();
  });

  it('answers with the fallback while bitly is unavailable, and with the link afterwards', async () => {
    shortlink = await runWithBitly();
    await shortlink.bitly.goAway();
    expect(await shortlink.createLink(1)).toEqual(fallback(1));
    await shortlink.bitly.comeBack();
    shortlink.clock.advance(AFTER_FAILURE_MS);
    expect(await shortlink.createLink(1)).toEqual(bitlink);
  });
});

describe('createLink when bitly sends what it should not', () => {
  let shortlink: RunningWithBitly;
  let lastJob = 0;
  beforeAll(async () => {
    shortlink = await runWithBitly();
  });
  afterAll(() => shortlink.stop());

  it.each([
    ['no body', { status: 201 }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['no object', answer(null)],
    ['no link', answer({ id })],
    ['a link that is no web address', answer({ id, link: 'javascript:alert(1)' })],
    ['a link with user information', answer({ id, link: 'https://bit.ly@evil.example/abc' })],
    ['a link with a line break', answer({ id, link: 'https://bit.ly/a\nb' })],
    ['a link that is too long', answer({ id, link: `https://bit.ly/${'a'.repeat(114)}` })],
    ['a link of another type', answer({ id, link: ['https://bit.ly/abc'] })],
    ['an id that leads elsewhere', answer({ id: '../groups/x', link: 'https://bit.ly/abc' })],
    ['an id with a path', answer({ id: 'bit.ly/a/b', link: 'https://bit.ly/abc' })],
    ['an id with a query', answer({ id: 'bit.ly/a?b', link: 'https://bit.ly/abc' })],
    ['half a body', 'stall' as const],
    ['no answer', 'hang' as const],
    ['a closed connection', 'drop' as const],
    ['another success', { status: 204 }],
  ])('answers with the fallback, and the link later: %s', async (_what, behaviour) => {
    const jobId = ++lastJob;
    shortlink.bitly.behave(behaviour);
    expect(await shortlink.createLink(jobId, 3000)).toEqual(fallback(jobId));
    shortlink.bitly.behave('fine');
    shortlink.clock.advance(AFTER_FAILURE_MS);
    expect(await shortlink.createLink(jobId)).toEqual(bitlink);
  });
});
