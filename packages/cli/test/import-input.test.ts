import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unreadable } from '../src/input/source.ts';
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

const posting = (id: number, employer = 'Trust') => ({
  '@type': 'JobPosting',
  identifier: `REQ-${id}`,
  title: `Nurse ${id}`,
  datePosted: '2020-11-01',
  description: 'Care',
  hiringOrganization: { name: employer },
  url: `https://jobs.example.com/${id}`,
});
const ndjson = [posting(1), posting(2)].map((one) => JSON.stringify(one)).join('\n');
const file = (name: string, content: string): string => {
  writeFileSync(join(directory, name), content);
  return join(directory, name);
};

function importFrom(input: string, args: readonly string[] = [], terminal: Partial<Terminal> = {}) {
  const keys = ['--consumer-key', 'jlc_test', '--user-key', 'jlu_test', '--company', '3'];
  const reports = ['--refused', join(directory, 'refused'), '--repaired', join(directory, 'repaired')];
  return runCli(['import', input, '--base-url', api.baseUrl, ...keys, ...reports, ...args], terminal);
}

describe('import -', () => {
  it.each<[what: string, chunks: (string | Uint8Array)[]]>([
    ['lines', [ndjson.slice(0, 100), ndjson.slice(100)]],
    ['gzip', [gzipSync(ndjson)]],
    ['an array', [JSON.stringify([posting(1), posting(2)])]],
  ])('reads %s from standard input', async (_, chunks) => {
    const stdin = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    const { exitCode, stdout } = await importFrom('-', ['--json'], { stdin });
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 0, created: 2, file: '-' });
  });

  it('ends on an interrupt before the end of its input', async () => {
    const stdin = new PassThrough();
    const onInterrupt = (callback: () => void) => {
      callback();
      return () => undefined;
    };
    const { exitCode, stderr } = await importFrom('-', [], { stdin, onInterrupt });
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: 'Interrupted. Nothing was imported.\n' });
  });
});

describe('a file that cannot be read', () => {
  it('that is not there', async () => {
    const { exitCode, stderr } = await importFrom('/none.json');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'error: No such file: /none.json. Give the path of a file, or - for standard input.\n',
    });
  });

  it('that is a directory', async () => {
    const { exitCode, stderr } = await importFrom(directory);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: ${directory} is a directory. Give a file in it, or - for standard input.\n`,
    });
  });

  it('that its owner protects', () => {
    const failure = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    expect(unreadable('a.json', failure)).toBe(
      'a.json may not be read. Allow it (chmod u+r), or run the import as its owner.',
    );
  });

  it('is the demo: the error says what to do', async () => {
    mkdirSync(join(directory, 'data'));
    const demo = file('data/demo.json', '{"baseUrl":');
    const { exitCode, stderr } = await importFrom(file('a.ndjson', ndjson), [], {
      dataDirectory: join(directory, 'data'),
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: Cannot read ${demo}: it is not valid JSON. Delete it and run npm start, which writes it.\n`,
    });
  });
});

describe('--employer-map', () => {
  const long = 'Department '.repeat(6).trim();
  const postings = () =>
    writeLines(join(directory, 'a.ndjson'), [posting(1, long), posting(2, 'Acme'), posting(3)]);

  it('replaces names, and leaves the others', async () => {
    const map = file('map.json', JSON.stringify({ [long]: 'Department', Acme: null }));
    const { exitCode } = await importFrom(postings(), ['--employer-map', map]);
    expect(exitCode).toBe(0);
    const employers = ['REQ-1', 'REQ-2', 'REQ-3'].map((name) => api.jobs.get(name)?.fields['employer']);
    expect(employers).toEqual(['Department', null, 'Trust']);
  });

  it('is what a refused posting with a long name leads to', async () => {
    const { exitCode, stdout } = await importFrom(postings());
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/#\/employer too_long +1 {2}“At most 50 characters\.”/);
    expect(stdout).not.toContain('Rules are broken.');
    expect(stdout).toContain('--employer-map');
  });

  it.each<[content: string, message: string]>([
    ['{', 'is not valid JSON. Write one object'],
    ['["a"]', 'is not a JSON object. Write one object'],
    ['{"a": 1}', '"a" is mapped to neither a name nor null. Write one object'],
  ])('refuses a file with %s', async (content, message) => {
    const { exitCode, stderr } = await importFrom(postings(), ['--employer-map', file('map.json', content)]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(api.requests).toEqual([]);
  });

  it('refuses a file that is not there', async () => {
    const { exitCode, stderr } = await importFrom(postings(), ['--employer-map', '/none.json']);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('No such file'),
    });
  });
});
