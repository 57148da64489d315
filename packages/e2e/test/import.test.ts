import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeWorld, runCli, sharedSystem, type World } from '../src/index.ts';

let world: World;
let directory: string;

beforeAll(async () => {
  world = await makeWorld(sharedSystem());
  directory = await mkdtemp(join(tmpdir(), 'import-'));
});

afterAll(async () => {
  await world.operator.close();
  await rm(directory, { recursive: true });
});

const posting = (number: number, overrides: Record<string, unknown> = {}) => ({
  '@type': 'JobPosting',
  title: `Nurse ${number}`,
  datePosted: '2020-11-02T23:30:00-0500',
  validThrough: '2020-11-30T23:59:59+0000',
  description: '&lt;p&gt;Care &amp;amp; kindness&lt;/p&gt;',
  employmentType: 'PART_TIME',
  hiringOrganization: { '@type': 'Organization', name: 'General Hospital' },
  jobLocation: { address: { addressLocality: 'Leeds', addressCountry: 'GB' } },
  url: `https://jobs.example.com/vacancy/${number}`,
  ...overrides,
});

const postings = [
  posting(1),
  posting(2, { description: '&lt;h2 style="color:red"&gt;Nights&lt;/h2&gt;' }),
  posting(3, { datePosted: '2020-12-24', validThrough: undefined }),
  posting(4, { validThrough: '2020-11-05' }),
  posting(5, { hiringOrganization: { name: 'x'.repeat(51) } }),
];

async function importFile(name: string, content: string | Uint8Array, flags: readonly string[]) {
  await writeFile(join(directory, name), content);
  const result = await runCli(directory, [
    'import',
    name,
    '--json',
    '--company',
    String(world.companyId),
    '--base-url',
    `${world.origin}/v1.0`,
    '--consumer-key',
    world.consumerKey,
    '--user-key',
    world.userKey,
    ...flags,
  ]);
  return { ...result, summary: JSON.parse(result.stdout) };
}

const listing = async () => (await world.api.get(`/jobs?company.id=${world.companyId}`)).json.data;

describe('import of JobPosting NDJSON', () => {
  const ndjson = gzipSync(postings.map((one) => JSON.stringify(one)).join('\n'));
  const flags = ['--as-of', '2020-11-15'];

  it('reports the errors of the API and exits with 1', async () => {
    const { code, summary } = await importFile('postings.ndjson.gz', ndjson, flags);
    expect(code).toBe(1);
    expect(summary).toMatchObject({ created: 3, updated: 0, unchanged: 0 });
    expect(JSON.stringify(summary)).toContain('html_tag');
    expect(JSON.stringify(summary)).toContain('employer must be at most 50 characters long');
  });

  it('derives published, pending and closed from the dates', async () => {
    const byTitle = new Map((await listing()).map((job: { title: string }) => [job.title, job]));
    expect(byTitle.get('Nurse 1')).toMatchObject({
      status: { id: 1 },
      employer: 'General Hospital',
      city: 'Leeds',
      province: { country: { id: 826 } },
    });
    expect(byTitle.get('Nurse 3')).toMatchObject({ status: { id: 3 } });
    expect(byTitle.get('Nurse 4')).toMatchObject({ status: { id: 2 } });
  });

  it('maps description, type and address', async () => {
    const { id } = (await listing()).find(({ title }: { title: string }) => title === 'Nurse 1');
    expect((await world.api.get(`/jobs/${id}`)).json.data).toMatchObject({
      description: '<p>Care &amp; kindness</p>',
      descriptionFormat: 'html',
      types: [{ id: 2 }],
      applicantRoutingType: { id: 2 },
      applicationUrl: 'https://jobs.example.com/vacancy/1',
    });
  });

  it('creates nothing in a second run', async () => {
    const { summary } = await importFile('postings.ndjson.gz', ndjson, flags);
    expect(summary).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
  });

  it('replaces disallowed tags with --repair', async () => {
    const { code, summary } = await importFile('postings.ndjson.gz', ndjson, [...flags, '--repair']);
    expect(code).toBe(1);
    expect(summary).toMatchObject({ created: 1, unchanged: 3, repaired: 1 });
  });

  it('writes nothing with --dry-run, and says what would happen', async () => {
    const before = await listing();
    const postings = [posting(99), posting(98, { title: ' ' })].map((value) => JSON.stringify(value));
    const { code, summary } = await importFile('dry.ndjson', postings.join('\n'), ['--dry-run']);
    expect(code).toBe(1);
    expect(summary).toMatchObject({
      created: 1,
      refused: 1,
      refusals: [{ code: 'validation_failed', errors: [{ rule: expect.stringMatching(/^#\/title /) }] }],
    });
    expect(await listing()).toEqual(before);
  });
});

describe('import of listings', () => {
  it('reads US states, closes inactive listings and counts synthesised descriptions', async () => {
    const listings = [
      {
        id: crypto.randomUUID(),
        company_name: 'WeRide',
        title: 'Engineer',
        active: true,
        date_posted: 1_714_605_534,
        date_updated: 1_714_605_534,
        url: 'https://jobs.example.com/1',
        locations: ['San Jose, CA'],
      },
      {
        id: crypto.randomUUID(),
        company_name: 'Axon',
        title: 'Analyst',
        active: false,
        date_posted: 1_714_605_534,
        date_updated: 1_714_605_534,
        url: 'https://jobs.example.com/2',
        locations: ['Remote'],
      },
    ];
    const { code, summary } = await importFile('listings.json', JSON.stringify(listings), []);
    expect(code).toBe(0);
    expect(summary).toMatchObject({ created: 2, synthesised: 2 });
    const jobs = await listing();
    expect(jobs.find(({ title }: { title: string }) => title === 'Engineer')).toMatchObject({
      city: 'San Jose',
      status: { id: 1 },
      province: { name: 'California', country: { id: 840 } },
    });
    expect(jobs.find(({ title }: { title: string }) => title === 'Analyst')).toMatchObject({
      status: { id: 2 },
    });
    const again = await importFile('listings.json', JSON.stringify(listings), []);
    expect(again.summary).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  });
});

describe('operator commands', () => {
  const operate = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(directory, [
      ...args,
      '--json',
      '--nats',
      sharedSystem().natsUrl,
    ]);
    expect([stderr, code]).toEqual(['', 0]);
    return JSON.parse(stdout);
  };

  it('create a company with a working key, and revoke the key', async () => {
    const company = await operate('company', 'create', `Operated ${crypto.randomUUID()}`);
    expect((await operate('company', 'list')).map(({ id }: { id: number }) => id)).toContain(company.id);
    const issued = await operate('key', 'issue', '--user', 'Recruiter', '--companies', String(company.id));
    const read = () =>
      world.anonymous.get(`/jobs?company.id=${company.id}`, {
        'Consumer-API-Key': world.consumerKey,
        'User-API-Key': issued.secret,
      });
    expect((await read()).status).toBe(200);
    await operate('key', 'rotate', String(issued.key.id));
    await operate('key', 'revoke', String(issued.key.id));
    expect(
      (await operate('key', 'list')).find(({ id }: { id: number }) => id === issued.key.id).revokedAt,
    ).not.toBeNull();
  });

  it('add a system category', async () => {
    const name = `System ${crypto.randomUUID()}`;
    const category = await operate('category', 'add-system', name);
    expect((await world.anonymous.get(`/jobcategories/${category.id}`)).json.data).toEqual({
      id: category.id,
      name,
      company: null,
    });
  });
});

describe('import --sync', () => {
  let company: World;
  beforeAll(async () => {
    company = await makeWorld(sharedSystem());
  });
  afterAll(() => company.operator.close());

  const sync = async (name: string, numbers: readonly number[], flags: readonly string[] = []) => {
    await writeFile(join(directory, name), numbers.map((n) => `${JSON.stringify(posting(n))}\n`).join(''));
    const target = ['--company', `${company.companyId}`, '--base-url', `${company.origin}/v1.0`];
    const keys = ['--consumer-key', company.consumerKey, '--user-key', company.userKey];
    const shift = ['--as-of', '2020-11-10'];
    const args = ['import', name, '--json', '--sync', ...target, ...keys, ...shift, ...flags];
    const { code, stdout } = await runCli(directory, args);
    return { code, summary: JSON.parse(stdout) };
  };
  const numbersTo = (end: number) => Array.from({ length: end }, (_, n) => n);
  const openJobs = async () =>
    (await company.api.get(`/jobs?company.id=${company.companyId}&status.id=1`)).json.paging.total;

  it('closes what a later file does not have, and nothing if it is cut off', async () => {
    const first = await sync('first.ndjson', numbersTo(300));
    expect(first).toMatchObject({
      code: 0,
      summary: { created: 300, sync: { state: 'committed', closed: 0 } },
    });
    const second = await sync('second.ndjson', numbersTo(280));
    expect(second).toMatchObject({ code: 0, summary: { unchanged: 280, sync: { closed: 20 } } });
    await expect(openJobs()).resolves.toBe(280);

    const cutOff = await sync('cut-off.ndjson', numbersTo(140));
    expect(cutOff).toMatchObject({ code: 1, summary: { unchanged: 140 } });
    expect(cutOff.summary.stopped).toMatch(/^No job was closed or deleted\. 140 of 280 jobs are missing\./);
    await expect(openJobs()).resolves.toBe(280);

    const meant = ['--missing', 'delete', '--max-missing-percent', '60'];
    expect(await sync('meant.ndjson', numbersTo(140), meant)).toMatchObject({
      code: 0,
      summary: { sync: { deleted: 160 } },
    });
    await expect(openJobs()).resolves.toBe(140);
  });
});
