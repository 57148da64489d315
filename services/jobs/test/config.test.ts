import { describe, expect, it } from '@jest/globals';
import { startService } from '@joblisting/service-kit';
import { jobsService } from '../src/index.ts';

describe('the configuration of jobs', () => {
  it.each([
    [{ SEARCH_URL: 'search' }, 'SEARCH_URL must match pattern'],
    [{ SEARCH_URL: 'https://example.com/?q=1' }, 'SEARCH_URL must match pattern'],
    [
      { SEARCH_URL: `https://example.com/${'x'.repeat(100)}` },
      'SEARCH_URL must NOT have more than 108 characters',
    ],
  ])('does not start with %j', async (env, problem) => {
    await expect(startService(jobsService, { env })).rejects.toThrow(problem);
  });
});
