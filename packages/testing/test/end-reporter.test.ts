import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Runs jest on one file of `left-open`, with a short limit for its end. */
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
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code: code as number, said };
}

describe('a run whose tests have passed', () => {
  it('fails where something is left open, and says what', async () => {
    const { code, said } = await runJest('left-open.cjs');
    expect(code).toBe(1);
    expect(said).toMatch(/^FAIL The tests have run, but something is left open: .*TCPServerWrap/m);
  });

  it('ends well where nothing is', async () => {
    const { code, said } = await runJest('closed.cjs');
    expect({ code, said }).toEqual({ code: 0, said: '' });
  });
});
