import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, JobListingError } from '@joblisting/client';
import type { LoggedEvent, WebhookMessage } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { jobBody, makeWorld, startSystem, type System, type World } from '../src/index.ts';

let system: System;
let world: World;
let server: Server;
let url: string;
const received: WebhookMessage[] = [];
let failEvery = Infinity;

beforeAll(async () => {
  let count = 0;
  server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as WebhookMessage;
      received.push(body);
      response.writeHead(++count % failEvery === 0 ? 503 : 204).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  system = await startSystem({
    leaveOut: ['site', 'metrics'],
    env: { WEBHOOK_ALLOWED_NETWORKS: 'loopback' },
  });
  world = await makeWorld(system);
}, 120_000);
afterAll(async () => {
  await world?.operator.close();
  await system?.stop();
  server?.closeAllConnections();
  server?.close();
});

const client = () =>
  createClient({ baseUrl: world.origin, consumerKey: world.consumerKey, userKey: world.userKey });

/** All events in the log of the company. */
async function logged(): Promise<LoggedEvent[]> {
  const all: LoggedEvent[] = [];
  for (let after: string | undefined, hasMore = true; hasMore;) {
    const query = `company.id=${world.companyId}&limit=1000${after ? `&after=${after}` : ''}`;
    const { json } = await world.api.get(`/events?${query}`);
    all.push(...json.data);
    ({ next: after, hasMore } = json.paging);
  }
  return all;
}

async function write(writer: number): Promise<void> {
  for (let no = 0; no < 6; no++) {
    const { json } = await world.api.post('/jobs', jobBody(world.companyId));
    for (let change = 0; change < 4; change++)
      await world.api.put(`/jobs/${json.data.id}`, { title: `Title ${writer}.${change}` });
  }
}

describe('a receiver', () => {
  it('gets every event, those of each job in order, with two replicas that are killed and a receiver that fails', async () => {
    const { data: webhook } = await client().webhooks.create({
      company: { id: world.companyId },
      url,
      types: ['*'],
    });
    await system.fleet.start(['events'], { replicas: 1 });
    failEvery = 25;
    let isWriting = true;
    const writing = Promise.all([1, 2, 3, 4].map(write)).finally(() => {
      isWriting = false;
    });
    const replicas = system.fleet.replicas('events');
    for (let round = 0; isWriting || round < 4; round++) {
      const replica = replicas[round % replicas.length];
      replica?.kill('SIGKILL');
      await replica?.restart();
    }
    await writing;
    failEvery = Infinity;
    // The log is behind the writers.
    const count = 4 * 6 * 5;
    await waitFor(async () => (await logged()).length >= count, { what: 'the log', limitMs: 30_000 });
    const all = await logged();
    const isComplete = () => {
      const ids = new Set(received.map(({ data }) => data.id));
      return all.every(({ id }) => ids.has(id));
    };
    await waitFor(isComplete, { what: 'every event', limitMs: 60_000 });
    const byJob = Map.groupBy(received, ({ data }) => data.job?.id);
    for (const own of byJob.values()) {
      const versions = [...new Set(own.map(({ data }) => data.job?.version ?? 0))];
      expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    }
    await waitFor(async () => (await client().webhooks.get(webhook.id)).data.pending === 0, {
      what: 'no pending event',
      limitMs: 30_000,
    });
  }, 180_000);

  it('gets events again by a replay, which is accepted with 202', async () => {
    const { json } = await world.api.get(`/webhooks?company.id=${world.companyId}`);
    const [{ id }] = json.data;
    const { json: page } = await world.api.get(`/events?company.id=${world.companyId}&limit=100`);
    received.length = 0;
    const { status, json: replay } = await world.api.post(`/webhooks/${id}/replay`, {
      after: page.paging.next,
    });
    expect([status, replay.data]).toEqual([202, { events: 20 }]);
    await waitFor(() => received.length >= 20, { what: 'the events' });
  });

  it('is registered, tested, and deleted; its secret is shown once, and 201 says where it is', async () => {
    const { status, headers, json } = await world.api.post('/webhooks', {
      company: { id: world.companyId },
      url,
      types: ['category.created'],
    });
    const { id, secret } = json.data;
    expect([status, headers.get('Location')]).toEqual([201, `${world.origin}/v1.0/webhooks/${id}`]);
    expect(secret).toMatch(/^whsec_/);
    expect(JSON.stringify((await world.api.get(`/webhooks/${id}`)).json)).not.toContain('whsec_');
    const tested = await world.api.post(`/webhooks/${id}/test`);
    expect([tested.status, tested.json.data.outcome]).toEqual([200, 'delivered']);
    const rotated = await client().webhooks.rotateSecret(id);
    expect(rotated.data.secret).not.toBe(secret);
    expect((await world.api.delete(`/webhooks/${id}`)).status).toBe(204);
    const gone = await client()
      .webhooks.test(id)
      .catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(JobListingError);
    expect(gone).toMatchObject({ status: 404, code: 'webhook_not_found' });
  });

  it('at an address that is not on the public internet is refused with the place of the fault', async () => {
    const { status, json } = await world.api.post('/webhooks', {
      company: { id: world.companyId },
      url: 'https://0xa9fea9fe/latest/meta-data',
      types: ['*'],
    });
    expect([status, json.errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: '#/url', code: 'not_allowed' })],
    ]);
  });
});
