import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { busCredentials, createClient, runProgram, sharedSystem } from '../src/index.ts';

const main = new URL('../../../infra/local/src/seeds.ts', import.meta.url).pathname;

const { natsUrl, origin, services } = sharedSystem();
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seeds-'));
});
afterAll(() => rm(directory, { recursive: true }));

const seed = (settings: Record<string, string> = {}) =>
  runProgram(main, [], {
    env: {
      NATS_URL: natsUrl,
      ...busCredentials('operator'),
      GATEWAY_URL: origin,
      HEALTH_URLS: services.map(({ healthUrl }) => healthUrl).join(','),
      DATA_DIR: directory,
      ...settings,
    },
  });

interface Demo {
  readonly consumerKey: string;
  readonly companies: readonly { readonly id: number; readonly userKey: string }[];
}

const demoFile = async (): Promise<Demo> =>
  JSON.parse(await readFile(join(directory, 'demo.json'), 'utf8')) as Demo;

describe('seeding a system whose parts run elsewhere', () => {
  it('creates companies with jobs and working keys', async () => {
    await expect(seed()).resolves.toMatchObject({ code: 0, stderr: '' });
    const { consumerKey, companies } = await demoFile();
    expect(companies).toHaveLength(3);
    for (const { id, userKey } of companies) {
      const api = createClient(origin, { consumer: consumerKey, user: userKey });
      const answer = await api.get(`/jobs?company.id=${id}`);
      expect(answer.status).toBe(200);
      expect(answer.json.paging.total).toBeGreaterThan(0);
    }
  });

  it('keeps its data when it runs again', async () => {
    const before = await demoFile();
    await expect(seed()).resolves.toMatchObject({ code: 0, stderr: '' });
    expect(await demoFile()).toEqual(before);
  });

  it('names the missing settings', async () => {
    const result = await seed({ HEALTH_URLS: '', DATA_DIR: '' });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Not set: HEALTH_URLS, DATA_DIR');
  });
});
