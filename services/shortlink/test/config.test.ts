import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService } from '@joblisting/service-kit';
import { databasePrefix, startNats, testMongoUri, type TestNats } from '@joblisting/testing';
import { shortlinkService } from '../src/index.ts';

let nats: TestNats;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());

const start = (settings: Record<string, string>) =>
  startService(shortlinkService, {
    env: {
      NATS_URL: nats.url,
      MONGODB_URI: testMongoUri(),
      MONGODB_DATABASE: `${databasePrefix()}shortlink`,
      LOG_LEVEL: 'silent',
      ...settings,
    },
  });

describe('the configuration of shortlink', () => {
  it.each([
    [{ SHORTLINK_PROVIDER: 'carrier-pigeon' }, 'SHORTLINK_PROVIDER must be equal to one of'],
    [{ PUBLIC_URL: `https://example.com/${'x'.repeat(120)}` }, 'PUBLIC_URL is 22 characters too long'],
    [{ SEARCH_URL: 'search' }, 'SEARCH_URL must be an http or https address'],
    [{ SHORTLINK_PROVIDER: 'bitly' }, 'BITLY_TOKEN is required with SHORTLINK_PROVIDER=bitly'],
    [{ BITLY_URL: 'api.example' }, 'BITLY_URL must be an http or https address'],
    [{ BITLY_URL: 'https://api.example?x' }, 'BITLY_URL must be an http or https address'],
    [{ BITLY_URL: 'https://me@api.example' }, 'BITLY_URL must be an http or https address'],
    [{ BITLY_URL: 'http://api.example' }, 'BITLY_URL must be https: the token goes there'],
    [{ BITLY_URL: 'http://127.0.0.1.evil.example' }, 'BITLY_URL must be https'],
    [{ BITLY_CALLS_AT_ONCE: '0' }, 'BITLY_CALLS_AT_ONCE must be >= 1'],
    [{ BITLY_DOMAIN: 'https://bit.ly' }, 'BITLY_DOMAIN must match'],
    [{ BITLY_GROUP: 'a b' }, 'BITLY_GROUP must match'],
    [{ BITLY_BUDGET: '-1' }, 'BITLY_BUDGET must be >= 0'],
    [{ BITLY_BUDGET_PERIOD: 'year' }, 'BITLY_BUDGET_PERIOD must be equal to one of'],
  ])('stops the start: %j', async (settings: Record<string, string>, problem) => {
    await expect(start(settings)).rejects.toThrow(problem);
  });

  it('lists every problem at once', async () => {
    const starting = start({ SHORTLINK_PROVIDER: 'bitly', PUBLIC_URL: 'nowhere', BITLY_URL: 'nobody' });
    await expect(starting).rejects.toThrow(/PUBLIC_URL[\s\S]*BITLY_TOKEN[\s\S]*BITLY_URL/);
  });

  it('does not repeat a token that is refused', async () => {
    const error = await start({ BITLY_TOKEN: 'a secret\n' }).catch(String);
    expect(error).toContain('BITLY_TOKEN must match');
    expect(error).not.toContain('a secret');
  });
});
