import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Terminal } from '../src/terminal.ts';
import { startApi } from './support/api.ts';
import type { TestApi } from './support/api.ts';
import { runCli, workingDirectory, writeLines } from './support/run-cli.ts';

let api: TestApi;
let directory: string;

beforeEach(async () => {
  directory = workingDirectory();
  api = await startApi();
});
afterEach(() => api.stop());

function posting(id: number, changes: object = {}): Record<string, unknown> {
  return {
    '@type': 'JobPosting',
    identifier: `REQ-${id}`,
    title: `Nurse ${id}`,
    datePosted: '2020-11-01T09:00:00+0000',
    validThrough: '2020-11-30T23:59:59+0000',
    description: '&lt;p&gt;Care&lt;/p&gt;',
    employmentType: 'FULL_TIME',
    hiringOrganization: { name: 'Trust' },
    jobLocation: { address: { addressLocality: 'San Jose', addressRegion: 'CA' } },
    url: `https://jobs.example.com/${id}`,
    ...changes,
  };
}

async function importFile(file: string, args: readonly string[] = [], terminal: Partial<Terminal> = {}) {
  const company = ['--company', '3', '--base-url', api.baseUrl];
  const keys = ['--consumer-key', 'jlc_test', '--user-key', 'jlu_test'];
  const reports = [
    '--refused',
    join(directory, 'refused'),
    '--repaired',
    join(directory, 'repaired'),
    '--json',
  ];
  const result = await runCli(['import', file, ...company, ...keys, ...reports, ...args], terminal);
  return { ...result, summary: result.stdout === '' ? undefined : JSON.parse(result.stdout) };
}

function importPostings(postings: readonly unknown[], args: readonly string[] = []) {
  return importFile(writeLines(join(directory, 'postings.ndjson'), postings), args);
}

function linesOf(name: string): Record<string, unknown>[] {
  return readFileSync(join(directory, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('repeated imports', () => {
  const postings = Array.from({ length: 40 }, (_, index) => posting(index));

  it('create all jobs first, then write nothing', async () => {
    const first = await importPostings(postings);
    expect(first).toMatchObject({ exitCode: 0, summary: { postings: 40, created: 40, refused: 0 } });
    expect(api.peak()).toBeLessThanOrEqual(16);
    api.requests.length = 0;
    const second = await importPostings(postings);
    expect(second).toMatchObject({ exitCode: 0, summary: { created: 0, updated: 0, unchanged: 40 } });
    expect(api.requests.filter((request) => request.startsWith('PUT'))).toEqual([]);
  });

  it('update jobs that differ', async () => {
    await importPostings(postings);
    const { summary } = await importPostings([posting(0), posting(1, { title: 'Matron' }), posting(99)]);
    expect(summary).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
    expect(api.jobs.get('REQ-1')?.fields).toMatchObject({ title: 'Matron' });
  });

  it('respect --concurrency', async () => {
    await importPostings(postings, ['--concurrency', '3']);
    expect(api.peak()).toBeLessThanOrEqual(3);
  });

  it('move the dates with --as-of', async () => {
    await importPostings([posting(1)], ['--as-of', '2020-11-20']);
    expect(api.jobs.get('REQ-1')?.fields).toMatchObject({
      publishDate: '2025-11-02',
      closeDate: '2025-12-01',
    });
  });
});

describe('refused postings', () => {
  it('are written to a file with the errors of the API', async () => {
    const bad = posting(2, { hiringOrganization: { name: 'x'.repeat(51) }, title: undefined });
    const { exitCode, summary } = await importPostings([posting(1), bad]);
    expect(exitCode).toBe(1);
    expect(summary).toMatchObject({
      created: 1,
      refused: 1,
      refusals: [
        {
          code: 'validation_failed',
          errors: [
            { rule: '#/employer too_long', postings: 1, detail: 'At most 50 characters.' },
            { rule: '#/title required', postings: 1, detail: 'A job needs a title.' },
          ],
        },
      ],
    });
    expect(linesOf('refused')).toMatchObject([
      {
        line: 2,
        referenceId: 'REQ-2',
        status: 422,
        requestId: 'r-1',
        posting: JSON.parse(JSON.stringify(bad)),
      },
    ]);
  });

  it.each<[what: string, line: unknown, code: string]>([
    ['a broken line', '{"@type":"JobPosting",', 'malformed_line'],
    ['another type', { '@type': 'Event' }, 'not_a_posting'],
    ['a posting without a reference', posting(2, { identifier: undefined, url: undefined }), 'no_reference'],
    ['a posting with the reference of another', posting(1, { title: 'Other' }), 'duplicate_reference'],
  ])('include %s; the rest is imported', async (_, line, code) => {
    const { exitCode, summary } = await importPostings([posting(1), line, '', posting(3)]);
    expect({ exitCode, summary }).toMatchObject({
      exitCode: 1,
      summary: { postings: 3, created: 2, refused: 1, refusals: [{ code }] },
    });
    expect(linesOf('refused')).toMatchObject([{ line: 2, code }]);
  });

  it('leave no file after a later run without refusals', async () => {
    await importPostings(['{']);
    const { summary } = await importPostings([posting(1)]);
    expect(summary.refusedFile).toBeUndefined();
    expect(() => linesOf('refused')).toThrow('ENOENT');
  });
});

describe('a report that cannot be written', () => {
  it.each<[why: string, flags: (path: (name: string) => string) => string[], message: string]>([
    ['its directory does not exist', (path) => ['--refused', path('none/refused')], 'Cannot write'],
    ['it is the other report too', (path) => ['--refused', path('x'), '--repaired', path('./x')], 'are both'],
    ['it is the imported file', (path) => ['--repaired', path('postings.ndjson')], 'would overwrite'],
  ])('%s: the import does not start', async (_, flags, message) => {
    const { exitCode, stderr } = await importPostings(
      ['{', posting(1)],
      flags((name) => join(directory, name)),
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(api.requests).toEqual([]);
    expect(readFileSync(join(directory, 'postings.ndjson'), 'utf8')).toMatch(/^\{\n/u);
  });
});

describe('--repair', () => {
  const styled = posting(1, {
    description: '&lt;h1&gt;Role&lt;/h1&gt;&lt;span style=&quot;a&quot;&gt;x&lt;/span&gt;',
  });

  it('without it, tags that are not allowed are refused', async () => {
    const { summary } = await importPostings([styled]);
    expect(summary.refusals[0].errors).toMatchObject([{ rule: '#/description html_tag' }]);
  });

  it('replaces the tags and reports the changes', async () => {
    const { exitCode, summary } = await importPostings([styled, posting(2)], ['--repair']);
    expect({ exitCode, summary }).toMatchObject({
      exitCode: 0,
      summary: {
        created: 2,
        repaired: 1,
        repairs: [
          { change: 'h1 → p, strong', times: 1, postings: 1 },
          { change: 'span → unwrapped', times: 1, postings: 1 },
        ],
      },
    });
    expect(api.jobs.get('REQ-1')?.fields).toMatchObject({ description: '<p><strong>Role</strong></p>x' });
    expect(linesOf('repaired')).toEqual([
      { line: 1, referenceId: 'REQ-1', changes: { 'h1 → p, strong': 1, 'span → unwrapped': 1 } },
    ]);
  });
});

describe('input files', () => {
  it('may be gzip under any name', async () => {
    const file = join(directory, 'postings.bin');
    writeFileSync(file, gzipSync(`${JSON.stringify(posting(1))}\n${JSON.stringify(posting(2))}`));
    expect((await importFile(file)).summary).toMatchObject({ created: 2 });
  });

  it('may be listings', async () => {
    const listing = {
      company_name: 'Acme',
      title: 'Dev',
      locations: ['NYC'],
      date_posted: 1.7e9,
      id: 'a',
      active: false,
    };
    const file = join(directory, 'listings.json');
    writeFileSync(file, JSON.stringify([{ ...listing, url: 'https://e.example/a' }], undefined, 2));
    const { summary } = await importFile(file);
    expect(summary).toMatchObject({ created: 1, synthesised: 1 });
    expect(api.jobs.get('a')?.fields).toMatchObject({ city: 'New York', closeDate: '2023-11-14' });
  });

  it('are judged by the API in a dry run', async () => {
    const postings = [posting(1), posting(2, { title: undefined }), '{'];
    const { exitCode, summary } = await importPostings(postings, ['--dry-run']);
    expect({ exitCode, summary }).toMatchObject({
      exitCode: 1,
      summary: { dryRun: true, postings: 3, created: 1, refused: 2 },
    });
    const puts = api.requests.filter((request) => request.startsWith('PUT'));
    expect(puts).toEqual(['PUT /v1.0/jobs?dryRun=true', 'PUT /v1.0/jobs?dryRun=true']);
  });

  it('count as unchanged in a dry run if the API would change nothing', async () => {
    // The API stores the title without its blanks.
    const blanks = posting(1, { title: ' Nurse ' });
    await importPostings([blanks, posting(2)]);
    const { summary } = await importPostings([blanks, posting(2, { title: 'Matron' })], ['--dry-run']);
    expect(summary).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    expect(api.jobs.get('REQ-2')?.fields).toMatchObject({ title: 'Nurse 2' });
  });

  it('stop the import if gzip is truncated', async () => {
    const file = join(directory, 'cut.gz');
    writeFileSync(file, gzipSync(JSON.stringify(posting(1))).subarray(0, 60));
    const { exitCode, summary } = await importFile(file);
    expect({ exitCode, summary }).toMatchObject({
      exitCode: 1,
      summary: {
        postings: 0,
        stopped: 'Stopped early: The file cannot be read completely: unexpected end of file',
      },
    });
  });
});
