import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import {
  jobBody,
  makeWorld,
  newReference,
  SEARCH_URL,
  startSystem,
  type System,
  type World,
} from '../src/index.ts';

let system: System;
let world: World;

beforeAll(async () => {
  // Some tests wait for the end of a request that gets no answer.
  system = await startSystem({ env: { REQUEST_TIMEOUT_MS: '2500' } });
  world = await makeWorld(system);
}, 90_000);

afterAll(async () => {
  await world?.operator.close();
  await system?.stop();
});

const service = (name: Parameters<System['services']['get']>[0]) => {
  const running = system.services.get(name);
  if (!running) throw new Error(`${name} does not run`);
  return running;
};

describe('a stopped service', () => {
  it('categories: 503 with Retry-After for requests that need it; others work', async () => {
    const post = (categories: readonly object[]) =>
      world.api.post('/jobs', jobBody(world.companyId, { categories }));
    expect((await post([{ id: 1 }])).status).toBe(201);
    await service('categories').stop();
    const custom = await post([{ name: 'Horticulture' }]);
    expect([custom.status, custom.json.code, custom.json.reason]).toEqual([
      503,
      'unavailable',
      'no_responder',
    ]);
    expect(custom.headers.get('retry-after')).toBeTruthy();
    expect((await post([])).status).toBe(201);
    // The jobs service has system categories in memory.
    expect((await post([{ id: 1 }])).status).toBe(201);
    await service('categories').restart();
    expect((await world.api.get('/jobcategories/1')).status).toBe(200);
  });

  it('shortlink: the job gets the fallback address first and the short link later', async () => {
    await service('shortlink').stop();
    const { status, json } = await world.api.post('/jobs', jobBody(world.companyId));
    expect(status).toBe(201);
    expect(json.data.url).toBe(`${SEARCH_URL}/Share/Job${json.data.id}`);
    await service('shortlink').restart();
    await waitFor(
      async () =>
        (await world.api.get(`/jobs/${json.data.id}`)).json.data.url.startsWith(`${world.origin}/s/`),
      { limitMs: 30_000, what: 'the short link' },
    );
  });

  it('accounts: cached keys work for some seconds, unknown keys get 503', async () => {
    const stranger = await makeWorld(system);
    await world.api.get(`/jobs?company.id=${world.companyId}`);
    // An orderly end may take longer than a key stays cached.
    service('accounts').kill('SIGKILL');
    await service('accounts').stop();
    const known = await world.api.get(`/jobs?company.id=${world.companyId}`);
    const unknown = await stranger.api.get(`/jobs?company.id=${stranger.companyId}`);
    await service('accounts').restart();
    expect([known.status, unknown.status]).toEqual([200, 503]);
    await stranger.operator.close();
    expect((await world.api.get(`/jobs?company.id=${world.companyId}`)).status).toBe(200);
  });
});

describe('kill -9', () => {
  it('of jobs loses no acknowledged job', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () => world.api.post('/jobs', jobBody(world.companyId))),
    );
    service('jobs').kill('SIGKILL');
    await service('jobs').restart();
    const read = await Promise.all(made.map(({ json }) => world.api.get(`/jobs/${json.data.id}`)));
    expect(new Set(read.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('of jobs in the middle of a batch: sent again, it makes every job once', async () => {
    const reference = newReference();
    const items = Array.from({ length: 200 }, (_, n) =>
      jobBody(world.companyId, { referenceId: `${reference}-${n}`, categories: [{ name: 'Half way' }] }),
    );
    const listed = async () =>
      (await world.api.get(`/jobs?company.id=${world.companyId}&pageSize=1000`)).json.data.filter(
        ({ referenceId }: { referenceId: string | null }) => referenceId?.startsWith(reference),
      );
    const interrupted = world.api.post('/jobs/batch', { items });
    await waitFor(async () => (await listed()).length > 0, {
      what: 'the first jobs',
      everyMs: 5,
      limitMs: 30_000,
    });
    service('jobs').kill('SIGKILL');
    expect((await interrupted).status).toBe(504);
    await service('jobs').restart();
    expect((await listed()).length).toBeLessThan(200);

    const isDone = async () => {
      const { json } = await world.api.post('/jobs/batch', { items });
      return json.data?.every(({ status }: { status: number }) => status < 300);
    };
    await waitFor(isDone, { what: 'the whole batch', limitMs: 60_000 });
    const references = (await listed()).map(({ referenceId }: { referenceId: string }) => referenceId);
    expect([references.length, new Set(references).size]).toEqual([200, 200]);
  }, 120_000);

  it('of jobs in the middle of a commit: it is finished, and closes nothing that was sent', async () => {
    const scope = newReference();
    const item = (n: number) => jobBody(world.companyId, { referenceId: `${scope}-${n}` });
    const items = Array.from({ length: 100 }, (_, n) => item(n));
    const areMade = async () =>
      (await world.api.post('/jobs/batch', { items })).json.data?.every(
        ({ status }: { status: number }) => status < 300,
      );
    await waitFor(areMade, { what: 'the jobs', limitMs: 60_000 });
    const { json } = await world.api.post('/syncs', { company: { id: world.companyId }, scope });
    const path = `/syncs/${json.data.id}`;
    await world.api.post(`${path}/items`, { items: [item(0)] });
    const commit = { expectedCount: 1, missing: 'close', maxMissingPercent: 100 };
    const interrupted = world.api.post(`${path}/commit`, commit);
    await waitFor(async () => (await world.api.get(path)).json.data.missing > 0, {
      what: 'the first closed jobs',
      everyMs: 5,
    });
    service('jobs').kill('SIGKILL');
    await service('jobs').restart();
    await interrupted;
    const isCommitted = async () => (await world.api.get(path)).json.data.state === 'committed';
    await waitFor(isCommitted, { what: 'the commit', limitMs: 60_000 });
    expect((await world.api.get(path)).json.data).toMatchObject({ closed: 99, leftAlone: 0, missing: 0 });
    const open = await world.api.get(`/jobs?company.id=${world.companyId}&referenceId=${scope}-0`);
    expect(open.json.data[0].status.id).toBe(1);
  }, 120_000);

  it('of nats-server: the services reconnect', async () => {
    await system.nats.kill();
    const unavailable = await world.api.get(`/jobs?company.id=${world.companyId}`);
    expect([503, 504]).toContain(unavailable.status);
    await system.nats.restart();
    await waitFor(async () => (await world.api.get(`/jobs?company.id=${world.companyId}`)).status === 200, {
      limitMs: 20_000,
      what: 'the bus',
    });
  });
});

describe('SIGTERM', () => {
  it('ends each service with exit code 0', async () => {
    for (const running of system.services.values()) {
      expect([running.name, await running.stop()]).toEqual([running.name, 0]);
      await running.restart();
    }
  }, 120_000);
});
