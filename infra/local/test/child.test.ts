import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { logOutput } from '../src/log-files.ts';
import { startChild } from '../src/processes/child.ts';
import { dataDirectory } from './stubs/system.ts';

const nobody = { watch: () => undefined, forget: () => undefined };

describe('a program that has ended', () => {
  const data = dataDirectory();
  const file = join(data.path, 'program.log');
  afterAll(() => data.remove());

  const start = (script: string) =>
    startChild(
      { file: '/bin/sh', args: ['-c', script], output: logOutput('program', file, () => undefined) },
      nobody,
    );

  it('is heard when the last that it printed is kept, though it was gone before', async () => {
    const child = await start('(sleep 0.2; echo last words >&2) & exit 3');
    expect(await child.ended).toBe('code 3');
    await child.heard;
    expect(readFileSync(file, 'utf8')).toBe('last words\n');
  });

  it('is not waited for where somebody else holds its output open', async () => {
    const child = await start('sleep 30 & echo $!; exit 0');
    await child.heard;
    process.kill(Number(readFileSync(file, 'utf8').trim().split('\n').at(-1)));
    expect(await child.ended).toBe('code 0');
  });
});
