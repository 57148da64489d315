import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService } from '@joblisting/service-kit';
import { databasePrefix, startNats, testMongoUri, type TestNats } from '@joblisting/testing';
import { shortlinkService } from '../src/index.ts';

let nats: TestNats;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());

describe('the configuration of shortlink', () => {
  it.each([
    [{ SHORTLINK_PROVIDER: 'carrier-pigeon' }, 'SHORTLINK_PROVIDER must be equal to one of'],
    [{ PUBLIC_URL: `https://example.com/${'x'.repeat(120)}` }, 'PUBLIC_URL is 22 characters too long'],
    [{ SEARCH_URL: 'search' }, 'SEARCH_URL must be an http or https address'],
  ])('does not start with %j', async (settings, problem) => {
    const env = {
      NATS_URL: nats.url,
      MONGODB_URI: testMongoUri(),
      MONGODB_DATABASE: `${databasePrefix()}shortlink`,
      LOG_LEVEL: 'silent',
      ...settings,
    };
    await expect(startService(shortlinkService, { env })).rejects.toThrow(problem);
  });
});
