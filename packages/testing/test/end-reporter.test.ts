import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Runs jest on one file of `left-open` with a short limit. */
async function runJest(file: string) {
  const config = {
    rootDir: path('left-open'),
    testMatch: [`<rootDir>/${file}`],
    moduleFileExtensions: ['cjs', 'js'],
    reporters: [[path('../jest-end-reporter.js'), { limitMs: 300 }]],
  };
  const jest = path('../../../node_modules/jest/bin/jest.js');
  const args = [jest, '--config', JSON.stringify(config)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code: code as number, output };
}

describe('the end reporter, when all tests have passed', () => {
  it('fails the run if something is open, and names it', async () => {
    const { code, output } = await runJest('left-open.cjs');
    expect(code).toBe(1);
    expect(output).toMatch(/^FAIL The tests have finished, but something is still open: .*TCPServerWrap/m);
  });

  it('lets the run succeed if nothing is open', async () => {
    const { code, output } = await runJest('closed.cjs');
    expect({ code, output }).toEqual({ code: 0, output: '' });
  });
});
