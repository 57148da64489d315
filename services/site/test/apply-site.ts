import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { pdf } from '@joblisting/testing/system';
import { type ApiServer, KEY, startApiServer } from './api-server.ts';
import { publicJob, runSite, type RunningSite, START } from './running-site.ts';

export const cv = { name: 'CV of Ada.pdf', content: pdf() };

interface Applications {
  readonly site: RunningSite;
  readonly api: ApiServer;
}

/** A site with job 1, which takes applications, and the API that it hands them to. Both are as new in each test. */
export function useApplications(): Applications {
  const on = {} as { -readonly [K in keyof Applications]: Applications[K] };
  beforeAll(async () => {
    on.api = await startApiServer();
    on.site = await runSite({ API_URL: on.api.url, CONSUMER_KEY: KEY, APPLICATIONS_PER_HOUR: '1000' });
    await on.site.publish(publicJob(1, { title: 'Welder <b>', employer: 'Acme & Sons' }));
  }, 60_000);
  afterAll(async () => {
    await on.site?.stop();
    await on.api?.stop();
    expect(on.api.faults).toEqual([]);
  });
  beforeEach(() => {
    on.api.behave('fine');
    on.api.applications.length = 0;
    on.site.clock.set(START);
  });
  return on;
}
