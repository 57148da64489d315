import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BitlyServer,
  databasePrefix,
  startBitlyServer,
  testMongoUri,
  waitFor,
} from '@joblisting/testing';
import {
  jobBody,
  makeWorld,
  SEARCH_URL,
  serviceEnvironment,
  type ServiceProcess,
  startProcess,
  startSystem,
  type System,
  type World,
} from '../src/index.ts';

let bitly: BitlyServer;
let system: System;
let shortlink: ServiceProcess;
let world: World;

beforeAll(async () => {
  bitly = await startBitlyServer();
  system = await startSystem({ leaveOut: ['shortlink', 'scheduler', 'applications', 'metrics'] });
  const surroundings = {
    natsUrl: system.natsUrl,
    mongodbUri: testMongoUri(),
    databasePrefix: databasePrefix(),
    origin: system.origin,
  };
  shortlink = await startProcess('shortlink', {
    ...serviceEnvironment('shortlink', surroundings),
    SHORTLINK_PROVIDER: 'bitly',
    BITLY_URL: bitly.url,
    BITLY_TOKEN: bitly.token,
  });
  world = await makeWorld(system);
}, 90_000);

afterAll(async () => {
  await world?.operator.close();
  await shortlink?.stop();
  await system?.stop();
  await bitly?.stop();
});

const urlOf = async (id: number): Promise<string> => (await world.api.get(`/jobs/${id}`)).json.data.url;
const isBitlink = (url: string) => url.startsWith('https://bit.ly/');

describe('short links by bitly', () => {
  it('over its rate limit: the job gets the fallback, later the link; deleting the job removes it', async () => {
    bitly.behave({ status: 429, headers: { 'retry-after': '1' } });
    const made = await world.api.post('/jobs', jobBody(world.companyId));
    expect(made.status).toBe(201);
    const { id, url } = made.json.data;
    expect(url).toBe(`${SEARCH_URL}/Share/Job${id}`);
    expect(await urlOf(id)).toBe(url);

    bitly.behave('fine');
    const link = await waitFor(async () => [await urlOf(id)].find(isBitlink), {
      limitMs: 30_000,
      what: 'the link by bitly',
    });
    expect(bitly.links.get(link.slice('https://'.length))).toBe(`${SEARCH_URL}/Share/Job${id}`);
    expect((await world.api.get(`/jobs/${id}`)).headers.get('etag')).not.toBe(made.headers.get('etag'));

    expect((await world.api.delete(`/jobs/${id}`)).status).toBe(204);
    await waitFor(() => bitly.links.size === 0, { limitMs: 30_000, what: 'the removal at bitly' });
  });

  it('without an answer: the job is created and gets the link later', async () => {
    bitly.behave('hang');
    const { status, json } = await world.api.post('/jobs', jobBody(world.companyId));
    expect([status, json.data.url]).toEqual([201, `${SEARCH_URL}/Share/Job${json.data.id}`]);
    bitly.behave('fine');
    await waitFor(async () => isBitlink(await urlOf(json.data.id)), {
      limitMs: 30_000,
      what: 'the link by bitly',
    });
  });

  it('never logs the token', () => {
    expect(shortlink.log()).toContain('bitly');
    expect(shortlink.log()).not.toContain(bitly.token);
  });
});
