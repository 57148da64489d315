import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findExistingJobs, resolveLink, unavailable } from '@joblisting/contracts';
import { createLog, endpoint, ownCall, type ServiceDefinition } from '@joblisting/service-kit';
import { runService, type RunningTestService, standIn } from '../src/system/index.ts';

/** Answers a code with the ids of the jobs that exist, by a call to the jobs service. */
const definition: ServiceDefinition<unknown> = {
  name: 'shortlink',
  description: 'Calls another service',
  config: {},
  mongo: true,
  create: ({ bus, clock }) => ({
    endpoints: [
      endpoint(
        resolveLink,
        async ({ context }) => {
          const { data } = await bus.request(findExistingJobs, { body: { ids: [1, 2] }, context });
          return { data: { location: `https://example.com/${data.ids.join('-')}/${clock.now()}` } };
        },
        createLog('shortlink', 'silent'),
      ),
    ],
  }),
};

const jobs = standIn(findExistingJobs, async ({ body }) => ({ data: { ids: body.ids.slice(0, 1) } }));
let running: RunningTestService;
const resolve = (limitMs = 2000) =>
  running.bus.request(resolveLink, { params: { code: 'abcdefg' }, context: ownCall(limitMs) });

beforeAll(async () => {
  running = await runService(definition, { standIns: [jobs] });
});
afterAll(() => running.stop());

describe('runService', () => {
  it('runs a service with stand-ins and a clock that the test moves', async () => {
    const at = running.clock.now();
    expect((await resolve()).data.location).toBe(`https://example.com/1/${at}`);
    expect(jobs.requests.at(-1)?.body).toEqual({ ids: [1, 2] });
  });

  it('gives the service its own database', async () => {
    expect(running.mongo.name).toMatch(/_shortlink$/);
  });

  it('stand-ins fail, stay silent, leave and rejoin the bus', async () => {
    jobs.fault = unavailable('database_away');
    await expect(resolve()).rejects.toMatchObject({ code: 'unavailable' });
    jobs.fault = 'silent';
    await expect(resolve(300)).rejects.toMatchObject({ code: 'deadline_exceeded' });
    jobs.fault = undefined;
    await running.standInsOf('jobs').leave();
    await expect(resolve()).rejects.toMatchObject({ code: 'unavailable' });
    await running.standInsOf('jobs').join();
    await expect(resolve()).resolves.toBeDefined();
  });
});
