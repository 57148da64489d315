import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi } from './support/api.ts';
import type { Fault, TestApi } from './support/api.ts';
import { runCli, workingDirectory, writeLines } from './support/run-cli.ts';

let api: TestApi;
let directory: string;

beforeEach(async () => {
  directory = workingDirectory();
  api = await startApi();
});
afterEach(() => api.stop());

function postings(count: number): object[] {
  return Array.from({ length: count }, (_, id) => ({
    '@type': 'JobPosting',
    identifier: `REQ-${id}`,
    title: `Nurse ${id}`,
    datePosted: '2020-11-01',
    description: 'Care',
    url: `https://jobs.example.com/${id}`,
  }));
}

const keys = ['--consumer-key', 'jlc_test', '--user-key', 'jlu_test'];

function importPostings(count: number, args = keys, onInterrupt?: (callback: () => void) => () => void) {
  const file = writeLines(join(directory, 'postings.ndjson'), postings(count));
  const reports = ['--refused', join(directory, 'refused'), '--repaired', join(directory, 'repaired')];
  return runCli(
    ['import', file, '--company', '3', '--base-url', api.baseUrl, '--json', ...reports, ...args],
    onInterrupt === undefined ? {} : { onInterrupt },
  );
}

describe('an import with API faults', () => {
  it.each<[name: string, fault: Fault]>([
    ['429 with Retry-After', { status: 429, retryAfter: '0' }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
    ['a connection that breaks before the write', 'lost request'],
    ['a connection that breaks after the write', 'lost answer'],
  ])('retries after %s and counts the job as created', async (_, fault) => {
    api.faults.push(fault, fault);
    const { exitCode, stdout } = await importPostings(3);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ created: 3, updated: 0 });
  });

  it('never counts a job that exists as created in a dry run', async () => {
    await importPostings(1);
    api.hidesJobsInLists = true;
    api.faults.push('lost request');
    const { stdout } = await importPostings(1, [...keys, '--dry-run']);
    expect(JSON.parse(stdout)).toMatchObject({ created: 0, updated: 1 });
  });

  it('does not retry after 500', async () => {
    api.faults.push({ status: 500 });
    const { exitCode, stdout } = await importPostings(1);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ refused: 1, created: 0 });
  });

  it('gives up after a long Retry-After', async () => {
    api.faults.push({ status: 429, retryAfter: '3600' });
    const { stdout } = await importPostings(1);
    expect(JSON.parse(stdout)).toMatchObject({ refused: 1, refusals: [{ code: 'unavailable' }] });
  });
});

describe('an import that ends early', () => {
  it.each([429, 503])('stops after %d with a long Retry-After', async (status) => {
    api.faults.push({ status, retryAfter: '3600' });
    const { exitCode, stdout } = await importPostings(50, [...keys, '--concurrency', '1']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      postings: 1,
      refused: 1,
      stopped: 'Stopped early: The service accepts no requests now: Later.',
    });
  });

  it('says what to do about an address that nobody serves', async () => {
    const { exitCode, stderr } = await importPostings(1, [...keys, '--base-url', `${api.baseUrl}/other`]);
    expect(exitCode).toBe(1);
    expect(stderr).toBe('error: Nothing was imported. No such job. Check --base-url.\n');
  });

  it('exits with 130 if it is interrupted while the API is unreachable', async () => {
    await api.stop();
    const interruptAtOnce = (callback: () => void) => {
      callback();
      return () => undefined;
    };
    const { exitCode, stdout } = await importPostings(1, keys, interruptAtOnce);
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      postings: 0,
      stopped: expect.stringMatching(/^Interrupted after 0 of 1\. /),
    });
  });

  it('reports refused keys', async () => {
    const { exitCode, stderr } = await importPostings(1, ['--consumer-key', 'x', '--user-key', 'y']);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'error: Nothing was imported. The API keys are missing or invalid. Check --consumer-key and --user-key.\n',
    );
  });

  it('finishes the requests in flight after an interrupt, and prints the summary', async () => {
    let interrupt = (): void => undefined;
    api.onPut = () => {
      if (api.jobs.size === 5) interrupt();
    };
    const watch = (callback: () => void) => {
      interrupt = callback;
      return () => undefined;
    };
    const { exitCode, stdout } = await importPostings(50, [...keys, '--concurrency', '2'], watch);
    expect(exitCode).toBe(130);
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({
      refused: 0,
      stopped: `Interrupted after ${api.jobs.size} of 50. Run the same command again to continue; nothing is created twice.`,
    });
    expect(summary.created).toBe(api.jobs.size);
    expect(summary.created).toBeLessThan(10);
  });
});
