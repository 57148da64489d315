import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findingsOf, inParallel, jsonLdOf, waitFor } from '@joblisting/testing';
import { jobBody, makeWorld, runCli, sharedSystem, type World } from '../../src/index.ts';

// With a file of real postings: ROUND_TRIP_FILE=… ROUND_TRIP_FLAGS='--as-of 2020-11-06 --repair' npm test -- round-trip
const { ROUND_TRIP_FILE, ROUND_TRIP_FLAGS = '' } = process.env;
const LIMIT_MS = ROUND_TRIP_FILE === undefined ? 60_000 : 900_000;

/** Every field that an import maps. The company differs on purpose. */
const MAPPED =
  'referenceId employer title publishDate closeDate city province types description descriptionFormat applicantRoutingType applicationUrl status'.split(
    ' ',
  );

type Json = Record<string, unknown>;

const posting = (number: number, more: Json = {}): Json => ({
  '@type': 'JobPosting',
  identifier: { '@type': 'PropertyValue', name: 'Yard', value: `R-${number}` },
  title: `Welder ${number}`,
  datePosted: '2026-01-05',
  description: `<p>Weld &amp; paint ${number}.</p>\n<ul><li>Nights &lt; days</li></ul>`,
  hiringOrganization: { '@type': 'Organization', name: 'Leeds Yard & Sons' },
  jobLocation: { address: { addressLocality: 'Leeds', addressCountry: 'GB' } },
  url: `https://jobs.example.com/vacancy/${number}?a=1&b=2`,
  ...more,
});

const handful = [
  posting(1, { validThrough: '2099-12-31T23:59:59+0100', employmentType: 'PART_TIME' }),
  posting(2, { employmentType: ['FULL_TIME', 'CONTRACTOR', 'TEMPORARY', 'INTERN'] }),
  posting(3, { employmentType: ['VOLUNTEER', 'PER_DIEM', 'OTHER'] }),
  posting(4, { jobLocation: { address: { addressCountry: 'GB' } } }),
  posting(5, { jobLocation: undefined }),
  posting(6, { jobLocation: 'San Jose, CA' }),
  posting(7, { jobLocation: { address: { addressRegion: 'AZ-LAN', addressCountry: 'AZ' } } }),
  posting(8, { jobLocation: { address: { addressLocality: 'Nowhere-on-Sea' } } }),
  posting(9, { title: 'R&D < script "lead" > & more' }),
  posting(10, { identifier: undefined, url: `https://jobs.example.com/${'x'.repeat(80)}` }),
];

let world: World;
let directory: string;
let userKey: string;

beforeAll(async () => {
  world = await makeWorld(sharedSystem());
  const { operator, companyId, otherCompanyId } = world;
  userKey = (await operator.userKey([companyId, otherCompanyId])).secret;
  directory = await mkdtemp(join(tmpdir(), 'round-trip-'));
});
afterAll(async () => {
  await world.operator.close();
  await rm(directory, { recursive: true });
});

async function importFile(file: string, companyId: number, flags: readonly string[] = []) {
  const target = ['--base-url', `${world.origin}/v1.0`, '--consumer-key', world.consumerKey];
  const to = ['--user-key', userKey, '--company', String(companyId), '--json'];
  const { stdout, stderr } = await runCli(directory, ['import', file, ...to, ...target, ...flags]);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as { created: number; refused: number };
}

/** Of the company's jobs, by referenceId. */
async function idsOf(companyId: number, query = ''): Promise<Map<string | null, number>> {
  const ids = new Map<string | null, number>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const path = `/jobs?company.id=${companyId}&pageSize=1000&page=${page}${query}`;
    const { data, paging } = (await world.api.get(path, { 'User-API-Key': userKey })).json;
    pages = paging.pages;
    for (const { id, referenceId } of data) ids.set(referenceId, id);
  }
  return ids;
}

const jobOf = async (id: number): Promise<Json> =>
  (await world.api.get(`/jobs/${id}`, { 'User-API-Key': userKey })).json.data;

const shownOf = (id: number): Promise<Json> =>
  waitFor(async () => jsonLdOf(await (await fetch(`${sharedSystem().siteOrigin}/Share/Job${id}`)).text()), {
    what: `the JSON-LD of job ${id}`,
    limitMs: 30_000,
  });

async function writePostings(name: string, postings: readonly unknown[]): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, postings.map((one) => JSON.stringify(one)).join('\n'));
  return file;
}

const mapped = (job: Json) => Object.fromEntries(MAPPED.map((name) => [name, job[name]]));

describe('import, site, JSON-LD, import', () => {
  it(
    'gives equal jobs',
    async () => {
      const file = ROUND_TRIP_FILE ?? (await writePostings('handful.ndjson', handful));
      await importFile(file, world.companyId, ROUND_TRIP_FLAGS.split(' ').filter(Boolean));
      const ids = await idsOf(world.companyId, '&status.id=1');
      expect(ids.size).toBeGreaterThanOrEqual(handful.length);
      const shown: Json[] = [];
      await inParallel([...ids.values()], 8, async (id) => void shown.push(await shownOf(id)));

      const again = await importFile(await writePostings('shown.ndjson', shown), world.otherCompanyId);
      expect(again).toMatchObject({ created: ids.size, refused: 0 });
      const otherIds = await idsOf(world.otherCompanyId);
      await inParallel([...ids], 8, async ([referenceId, id]) => {
        const [job, other] = [await jobOf(id), await jobOf(otherIds.get(referenceId)!)];
        expect(mapped(other)).toEqual(mapped(job));
      });

      // A place without a country is all that may be lacking.
      const lacking = shown.flatMap(findingsOf).filter(({ level }) => level === 'required');
      expect(lacking.filter(({ rule }) => !rule.startsWith('jobLocation: a Place'))).toEqual([]);
    },
    LIMIT_MS,
  );

  it('differs where an import has no such thing', async () => {
    const { companyId, otherCompanyId, companyName, api } = world;
    const text = 'One & two\nthree';
    const { id } = (await api.post('/jobs', jobBody(companyId, { description: text }))).json.data;
    const html = { referenceId: `tags-${id}`, description: 'a &amp; b', descriptionFormat: 'html' };
    const plain = (await api.post('/jobs', jobBody(companyId, html))).json.data;
    const shown = [await shownOf(id), await shownOf(plain.id)];
    await importFile(await writePostings('default.ndjson', shown), otherCompanyId);
    const otherIds = await idsOf(otherCompanyId);
    const other = await jobOf(otherIds.get(String(id))!);
    expect(other).toMatchObject({
      referenceId: String(id),
      employer: companyName,
      description: 'One & two<br>three',
      descriptionFormat: 'html',
      applicantRoutingType: { id: 2 },
      applicationUrl: shown.at(0)?.['mainEntityOfPage'],
    });
    expect(await jobOf(otherIds.get(`tags-${id}`)!)).toMatchObject({
      description: '<p>a &amp; b</p>',
    });
  });
});
