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

/** Signals only the script, and expects it to end like its command. */
async function expectForwarded(script: string, signal: NodeJS.Signals): Promise<void> {
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
  ] as const)('forwards %s that only it received (terminal: %j)', async (signal, tty) => {
    await expectForwarded(parent(tty), signal);
  });
});

describe('become', () => {
  it.each([
    ['with process.execve', ''],
    ['without process.execve', 'process.execve = undefined;'],
  ])('ends like the command, %s', async (_where, before) => {
    const script = `
      ${before}
      const { become } = await import(${JSON.stringify(join(root, 'infra/local/bootstrap/command.mjs'))});
      process.exitCode = await become(process.execPath, ['-e', ${JSON.stringify(child)}], { cwd: '/', env: process.env });
    `;
    await expectForwarded(script, 'SIGTERM');
  });
});
