import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LIMIT_MS = 3000;

/** Says whether what a start has made, and nobody holds, is gone in the end. */
const start = `
  import { letGoOfStart } from '${join(import.meta.dirname, 'after-start.ts')}';
  const made = new WeakRef({});
  letGoOfStart();
  const until = performance.now() + ${LIMIT_MS};
  const looking = setInterval(() => {
    const isGone = made.deref() === undefined;
    if (!isGone && performance.now() < until) return;
    clearInterval(looking);
    console.log(isGone ? 'gone' : 'there');
  }, 50);
`;
const ended = async (...flags: string[]): Promise<string> =>
  (await run(process.execPath, [...flags, '--input-type=module-typescript', '--eval', start])).stdout.trim();

describe('what only the start needed', () => {
  it('is let go of', async () => {
    await expect(ended('--expose-gc')).resolves.toBe('gone');
  });

  it('stays where Node does not let a program ask for that', async () => {
    await expect(ended()).resolves.toBe('there');
  });
});
