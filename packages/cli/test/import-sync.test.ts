import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from './support/api.ts';
import { runCli, workingDirectory, writeLines } from './support/run-cli.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(() => api.stop());

const posting = (id: number) => ({ '@type': 'JobPosting', identifier: `REQ-${id}`, title: `Nurse ${id}` });
const postings = [posting(1), posting(2)];

async function importPostings(args: readonly string[]) {
  const file = writeLines(join(workingDirectory(), 'postings.ndjson'), postings);
  const target = ['--company', '3', '--base-url', api.baseUrl];
  const keys = ['--consumer-key', 'jlc_test', '--user-key', 'jlu_test'];
  const result = await runCli(['import', file, '--json', ...target, ...keys, ...args]);
  return { ...result, summary: result.stdout === '' ? undefined : JSON.parse(result.stdout) };
}

describe('import --sync', () => {
  it('is about all jobs of the company, and expects the postings of the file', async () => {
    const { exitCode, summary } = await importPostings(['--sync']);
    expect({ exitCode, summary }).toMatchObject({
      exitCode: 0,
      summary: { created: 2, sync: { state: 'committed' } },
    });
    expect(api.syncs).toMatchObject([
      { start: { company: { id: 3 } }, commit: { expectedCount: 2, missing: 'close' } },
    ]);
    expect(api.syncs[0]?.start).not.toHaveProperty('scope');
  });

  it('is about the jobs of --scope', async () => {
    await importPostings(['--sync', '--scope', 'REQ-']);
    expect(api.syncs).toMatchObject([{ start: { company: { id: 3 }, scope: 'REQ-' } }]);
  });

  it('ends if the file has as many postings as --expected-count says', async () => {
    const { exitCode } = await importPostings(['--sync', '--expected-count', '2']);
    expect([exitCode, api.syncs]).toMatchObject([0, [{ commit: { expectedCount: 2 } }]]);
  });

  it('closes nothing if the file is cut at the end of a line', async () => {
    const { exitCode, summary } = await importPostings(['--sync', '--expected-count', '3']);
    expect({ exitCode, summary }).toMatchObject({
      exitCode: 1,
      summary: {
        created: 2,
        stopped: 'No job was closed or deleted. 2 different referenceIds were sent.',
      },
    });
    expect(api.syncs).toMatchObject([{ commit: { expectedCount: 3 } }]);
  });
});

describe('import --sync refuses', () => {
  const NEED_SYNC = '--scope, --expected-count, --missing and --max-missing-percent need --sync.';
  it.each([
    [['--sync', '--dry-run'], '--sync has no dry run: leave --dry-run out.'],
    [['--scope', 'a'], NEED_SYNC],
    [['--expected-count', '0'], NEED_SYNC],
    [['--missing', 'delete'], NEED_SYNC],
    [['--max-missing-percent', '5'], NEED_SYNC],
  ])('%j', async (args, message) => {
    const { exitCode, stderr } = await importPostings(args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(api.requests).toEqual([]);
  });
});
