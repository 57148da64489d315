import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startBitlyServer } from '@joblisting/testing';
import { providerSuite } from './provider-suite.ts';
import { bitlink, fallback, runWithBitly, type WithBitly } from './running-bitly.ts';

describe('bitly', () => {
  providerSuite(() => runWithBitly());
});

describe('a link by bitly', () => {
  let running: WithBitly;
  afterEach(() => running.stop());

  it('is asked for with what is configured, once', async () => {
    running = await runWithBitly({ BITLY_DOMAIN: 'job.example', BITLY_GROUP: 'Ba1bc23dE4F' });
    const { shortlink, bitly } = running;
    const first = await shortlink.linkOf(1);
    expect(first).toEqual({ url: expect.stringMatching(/^https:\/\/job\.example\//), final: true });
    bitly.behave('hang');
    expect(await shortlink.linkOf(1)).toEqual(first);
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

  it('stays when the provider becomes builtin, and the other way about', async () => {
    running = await runWithBitly();
    const { shortlink, bitly } = running;
    const byBitly = await shortlink.linkOf(1);
    bitly.behave({ status: 500 });
    expect(await shortlink.linkOf(2)).toEqual(fallback(2));
    await shortlink.stopReplicas();
    await shortlink.addReplica({ SHORTLINK_PROVIDER: 'builtin' });
    expect(await shortlink.linkOf(1)).toEqual(byBitly);
    const builtin = await shortlink.linkOf(2);
    expect(builtin).toEqual({
      url: expect.stringMatching(/^https:\/\/jobs\.example\.com\/s\//),
      final: true,
    });
    await shortlink.stopReplicas();
    bitly.behave('fine');
    await shortlink.addReplica();
    expect(await shortlink.linkOf(1)).toEqual(byBitly);
    expect(await shortlink.linkOf(2)).toEqual(builtin);
    expect(await shortlink.linkOf(3)).toEqual(bitlink());
  });

  it('is made for many jobs over few connections', async () => {
    running = await runWithBitly();
    const { shortlink, bitly } = running;
    const jobIds = Array.from({ length: 40 }, (_, index) => index + 1);
    const links = await Promise.all(jobIds.map((jobId) => shortlink.linkOf(jobId)));
    const final = links.filter((link) => link.final);
    expect(new Set(final.map(({ url }) => url)).size).toBe(bitly.links.size);
    expect(final.length).toBeGreaterThan(0);
    expect(bitly.connections()).toBeLessThanOrEqual(4);
  });
});

describe('a job that is being made', () => {
  /** Less than what bitly may take where nobody waits; an answer after it would be none. */
  const NEW_JOB_MS = 900;

  it.each(['hang', 'stall', 'mute'] as const)(
    'is not kept waiting by a bitly that answers nothing: %s',
    async (behaviour) => {
      const { shortlink, bitly, stop } = await runWithBitly();
      await shortlink.linkOf(1);
      bitly.behave(behaviour);
      expect(await shortlink.linkOf(2, NEW_JOB_MS)).toEqual(fallback(2));
      await stop();
    },
  );
});

describe('what bitly should not answer', () => {
  let running: WithBitly;
  beforeEach(async () => {
    // Each row is one failure: none of them opens the circuit.
    running = await runWithBitly();
  });
  afterEach(() => running.stop());

  const answer = (body: unknown) => ({ status: 201, body: JSON.stringify(body) });
  const id = 'bit.ly/abc';

  it.each([
    ['nothing', { status: 201 }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['no object', answer(null)],
    ['no link', answer({ id })],
    ['a link that is no web address', answer({ id, link: 'javascript:alert(1)' })],
    ['a link with user information', answer({ id, link: 'https://bit.ly@evil.example/abc' })],
    ['a link with a line break', answer({ id, link: 'https://bit.ly/a\nb' })],
    ['a link that is too long', answer({ id, link: `https://bit.ly/${'a'.repeat(114)}` })],
    ['a link of another type', answer({ id, link: ['https://bit.ly/abc'] })],
    ['an id that leads elsewhere', answer({ id: '../groups/x', link: 'https://bit.ly/abc' })],
    ['megabytes', answer({ id, link: 'https://bit.ly/abc', title: 'x'.repeat(5_000_000) })],
    ['half a body', 'stall' as const],
    ['no answer', 'hang' as const],
    ['a closed connection', 'drop' as const],
    ['another success', { status: 204 }],
  ])('%s: the fallback at once, the link later', async (_what, behaviour) => {
    const { shortlink, bitly } = running;
    bitly.behave(behaviour);
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    bitly.behave('fine');
    expect(await shortlink.linkOf(1)).toEqual(bitlink());
  });

  it('a redirect: it is not followed, the token goes nowhere else', async () => {
    const { shortlink, bitly } = running;
    const other = await startBitlyServer();
    bitly.behave({ status: 307, headers: { location: `${other.url}/v4/shorten` } });
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    expect(other.calls).toEqual([]);
    await other.stop();
  });

  it('nobody there: the fallback, the link once it is back', async () => {
    const { shortlink, bitly } = running;
    await bitly.goAway();
    expect(await shortlink.linkOf(1)).toEqual(fallback(1));
    await bitly.comeBack();
    expect(await shortlink.linkOf(1)).toEqual(bitlink());
  });
});
