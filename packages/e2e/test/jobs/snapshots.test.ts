import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeWorld, runCli, sharedSystem, type World } from '../../src/index.ts';

// With real postings: SNAPSHOTS_FILE=….ndjson.gz SNAPSHOTS_FLAGS='--as-of 2020-11-06 --repair' npm test -- snapshots
const { SNAPSHOTS_FILE, SNAPSHOTS_FLAGS = '' } = process.env;
const LIMIT_MS = SNAPSHOTS_FILE === undefined ? 60_000 : 900_000;

type Posting = Record<string, unknown>;

const some = (): Posting[] =>
  Array.from({ length: 40 }, (_, number) => ({
    '@type': 'JobPosting',
    identifier: { '@type': 'PropertyValue', name: 'Yard', value: `S-${number}` },
    title: `Welder ${number}`,
    datePosted: '2026-01-05',
    validThrough: '2099-12-31',
    description: '<p>Weld &amp; paint.</p>',
    hiringOrganization: { '@type': 'Organization', name: 'Leeds Yard' },
    url: `https://jobs.example.com/vacancy/${number}`,
  }));

async function postingsOf(file: string): Promise<Posting[]> {
  const bytes = await readFile(file);
  const text = String(file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Posting]));
}

let world: World;
let directory: string;
let postings: Posting[];
/** The open jobs after the first snapshot. */
let before: Map<number, Listed>;
beforeAll(async () => {
  world = await makeWorld(sharedSystem());
  directory = await mkdtemp(join(tmpdir(), 'snapshots-'));
  postings = SNAPSHOTS_FILE === undefined ? some() : await postingsOf(SNAPSHOTS_FILE);
  await importSnapshot(postings);
  before = await openJobs();
}, LIMIT_MS);
afterAll(async () => {
  await world.operator.close();
  await rm(directory, { recursive: true });
});

async function importSnapshot(postings: readonly Posting[]) {
  const file = join(directory, 'snapshot.ndjson');
  await writeFile(file, postings.map((one) => JSON.stringify(one)).join('\n'));
  const keys = ['--consumer-key', world.consumerKey, '--user-key', world.userKey];
  const target = ['--base-url', `${world.origin}/v1.0`, '--company', String(world.companyId), ...keys];
  const flags = SNAPSHOTS_FLAGS.split(' ').filter(Boolean);
  const result = await runCli(directory, ['import', file, '--sync', '--json', ...target, ...flags]);
  return { code: result.code, summary: JSON.parse(result.stdout) };
}

interface Listed {
  readonly id: number;
  readonly referenceId: string;
  readonly title: string;
}

/** The open jobs of the company, by id. */
async function openJobs(): Promise<Map<number, Listed>> {
  const open = new Map<number, Listed>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const path = `/jobs?company.id=${world.companyId}&status.id=1&pageSize=1000&page=${page}`;
    const { data, paging } = (await world.api.get(path)).json;
    pages = paging.pages;
    for (const job of data as Listed[]) open.set(job.id, job);
  }
  return open;
}

/** The body of an item that changes nothing. */
const itemOf = ({ referenceId, title }: Listed) => ({
  referenceId,
  company: { id: world.companyId },
  title,
});

describe('the next snapshot of a feed', () => {
  it.each([0, 0.01, 0.5, 0.7])(
    'closes nothing where it ends after %f of the postings',
    async (part) => {
      const { code, summary } = await importSnapshot(postings.slice(0, postings.length * part));
      expect([code, summary.sync]).toEqual([1, undefined]);
      expect(summary.stopped).toMatch(/^No job was closed or deleted/);
      expect(await openJobs()).toEqual(before);
    },
    LIMIT_MS,
  );

  it(
    'deletes nothing where its sync stops after any of its requests, or the count is wrong',
    async () => {
      const items = [...before.values()].map(itemOf);
      const parts = Array.from({ length: 4 }, (_, part) =>
        items.slice((part * items.length) / 4, ((part + 1) * items.length) / 4),
      );
      for (let sent = 0; sent <= parts.length; sent += 1) {
        const { json } = await world.api.post('/syncs', { company: { id: world.companyId } });
        const path = `/syncs/${json.data.id}`;
        for (const part of parts.slice(0, sent)) {
          const { status } = await world.api.post(`${path}/items`, { items: part });
          expect(status).toBe(200);
        }
        expect(await openJobs()).toEqual(before);
        for (const expectedCount of [0, parts.slice(0, sent).flat().length + 1, 2 * items.length]) {
          const { status } = await world.api.post(`${path}/commit`, { expectedCount, missing: 'delete' });
          expect([sent, expectedCount, status]).toEqual([sent, expectedCount, 409]);
        }
        expect(await openJobs()).toEqual(before);
      }
    },
    LIMIT_MS,
  );

  it(
    'closes what a whole one lacks, and changes what it has otherwise',
    async () => {
      const renamed = (one: Posting) =>
        Object.assign({}, one, { title: `${String(one['title']).slice(0, 60)} (new)` });
      const next = postings
        .filter((_, index) => index % 10 !== 3)
        .map((one, index) => (index % 20 === 0 ? renamed(one) : one));
      const { summary } = await importSnapshot(next);
      const after = await openJobs();
      expect(summary.sync).toMatchObject({ state: 'committed', deleted: 0, leftAlone: 0 });
      expect(summary.sync.closed).toBeGreaterThan(0);
      expect(before.size - after.size).toBe(summary.sync.closed);
      const changed = [...after.values()].filter(({ id, title }) => before.get(id)?.title !== title);
      expect(changed.every(({ title }) => title.endsWith('(new)'))).toBe(true);
      expect(changed.length).toBe(summary.updated);
    },
    LIMIT_MS,
  );
});
