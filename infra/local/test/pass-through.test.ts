import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { root } from '../bootstrap/paths.mjs';

const child = `
  const alive = setInterval(() => {}, 1000);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
    console.log(signal);
    clearInterval(alive);
    process.exitCode = 3;
  });
  console.log('up');
`;
const parent = (tty: boolean): string => `
  process.stdin.isTTY = ${tty};
  const { passThrough } = await import(${JSON.stringify(join(root, 'infra/local/bootstrap/command.mjs'))});
  process.exitCode = await passThrough(process.execPath, ['-e', ${JSON.stringify(child)}]);
`;

/** A script that runs the command, and alone gets the signal, ends as the command does. */
async function expectPassedOn(script: string, signal: NodeJS.Signals): Promise<void> {
  const started = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  started.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await waitFor(() => output.includes('up'), { what: 'the command' });
  started.kill(signal);
  await expect(once(started, 'close')).resolves.toEqual([3, null]);
  expect(output).toBe(`up\n${signal}\n`);
}

describe('passThrough', () => {
  it.each([
    ['SIGINT', true],
    ['SIGINT', false],
    ['SIGTERM', true],
  ] as const)('passes %s on that it alone got, on a terminal: %j', async (signal, tty) => {
    await expectPassedOn(parent(tty), signal);
  });
});

describe('become', () => {
  it.each([
    ['as this Node does it', ''],
    ['where Node cannot', 'process.execve = undefined;'],
  ])('is the command, %s', async (_where, before) => {
    const script = `
      ${before}
      const { become } = await import(${JSON.stringify(join(root, 'infra/local/bootstrap/command.mjs'))});
      process.exitCode = await become(process.execPath, ['-e', ${JSON.stringify(child)}], { cwd: '/', env: process.env });
    `;
    await expectPassedOn(script, 'SIGTERM');
  });
});
