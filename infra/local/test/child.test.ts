import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { logOutput } from '../src/logs.ts';
import { startChild } from '../src/processes/child.ts';
import { dataDirectory } from './stubs/system.ts';

const noGuard = { watch: () => undefined, unwatch: () => undefined };

describe('startChild, after the program has ended', () => {
  const data = dataDirectory();
  const file = join(data.path, 'program.log');
  afterAll(() => data.remove());

  const start = (script: string) =>
    startChild(
      { file: '/bin/sh', args: ['-c', script], output: logOutput('program', data.path, () => undefined) },
      noGuard,
    );

  it('stores output that arrives after the exit', async () => {
    const child = await start('(sleep 0.2; echo last words >&2) & exit 3');
    expect(await child.ended).toBe('code 3');
    await child.outputStored;
    expect(readFileSync(file, 'utf8')).toBe('last words\n');
  });

  it('does not wait for a grandchild that keeps the output open', async () => {
    const child = await start('sleep 30 & echo $!; exit 0');
    await child.outputStored;
    process.kill(Number(readFileSync(file, 'utf8').trim().split('\n').at(-1)));
    expect(await child.ended).toBe('code 0');
  });
});
