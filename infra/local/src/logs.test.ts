import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from '@jest/globals';
import { openLog, openLogs, prettyLine } from './logs.ts';

const MEGABYTE = 1024 ** 2;

describe('openLog', () => {
  it('keeps five files of 20 MB at most, the last output in the first one', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'logs-test-'));
    try {
      const log = openLog(directory, 'jobs');
      const part = Buffer.alloc(MEGABYTE, 'x');
      for (let megabytes = 0; megabytes < 130; megabytes++) {
        await new Promise<void>((resolve) => log.write(part, () => resolve()));
      }
      log.end('the last line');
      await finished(log);
      const files = readdirSync(directory).toSorted();
      expect(files).toEqual(['jobs.1.log', 'jobs.2.log', 'jobs.3.log', 'jobs.4.log', 'jobs.log']);
      const sizes = files.map((file) => statSync(join(directory, file)).size);
      expect(sizes).toEqual([...Array(4).fill(20 * MEGABYTE), 10 * MEGABYTE + 13]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

const line = (fields: object): string => JSON.stringify({ time: 0, ...fields });

it('openLogs removes logs that an earlier mongod moved away', () => {
  const data = mkdtempSync(join(tmpdir(), 'logs-test-'));
  try {
    const directory = openLogs(data);
    for (const name of ['mongod.log', 'mongod.log.2026-11-25T18-45-01'])
      writeFileSync(join(directory, name), '');
    openLogs(data);
    expect(readdirSync(directory)).toEqual(['mongod.log']);
  } finally {
    rmSync(data, { recursive: true });
  }
});

describe('prettyLine', () => {
  it.each([
    [line({ level: 30, msg: 'ready' }), undefined],
    [line({ level: 40, msg: 'slow' }), /^\d\d:\d\d:\d\d jobs warning: slow$/],
    [line({ level: 50, msg: 'failed', err: { message: 'no room' } }), /^\S+ jobs error: failed: no room$/],
    [line({ level: 60, msg: 'gone', err: { message: 'gone' } }), /^\S+ jobs fatal: gone$/],
    [line({ level: 60, msg: 'A: b', err: { message: 'A: b: A: b' } }), /^\S+ jobs fatal: A: b$/],
    [line({ level: 40, msg: 'lost', err: { message: 'no: no: no' } }), /^\S+ jobs warning: lost: no$/],
    [
      line({
        level: 50,
        msg: 'failed',
        err: { message: 'away', cause: { type: 'X', codeName: 'Unauthorized' } },
      }),
      /^\S+ jobs error: failed: away: Unauthorized$/,
    ],
    ['jobs: a setting is wrong', /^jobs: a setting is wrong$/],
    ['Error: a crash', /^jobs: Error: a crash$/],
    ['{ not json', /^jobs: \{ not json$/],
    ['', undefined],
  ])('shows %j as %p', (printed, shown) => {
    if (shown === undefined) expect(prettyLine('jobs', printed)).toBeUndefined();
    else expect(prettyLine('jobs', printed)).toMatch(shown);
  });
});
