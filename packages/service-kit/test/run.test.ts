import { startNats, type TestNats } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const main = new URL('./a-service.ts', import.meta.url).pathname;

let nats: TestNats;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());

/** Runs a service as a process of its own. */
function run(settings: NodeJS.ProcessEnv, ...args: string[]) {
  const child = spawn(process.execPath, ['--conditions=@joblisting/source', main, ...args], {
    env: { PATH: process.env['PATH'], NATS_URL: nats.url, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  const isReady = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('"ready"')) resolve();
    });
  });
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, isReady, ended, output: () => output, errors: () => errors };
}

describe('runService', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stops in order at %s', async (signal) => {
    const service = run({});
    await service.isReady;
    service.child.kill(signal);
    expect(await service.ended).toBe(0);
    expect(service.output()).toContain('"stopping"');
  });

  it('names all wrong settings in one line of level 60 and ends with 1', async () => {
    const service = run({ LOG_LEVEL: 'loud', HEALTH_PORT: '-1' });
    expect(await service.ended).toBe(1);
    expect(service.errors()).toBe('');
    const { level, service: name, msg } = JSON.parse(service.output()) as Record<string, unknown>;
    expect({ level, name }).toEqual({ level: 60, name: 'a-service' });
    expect(msg).toContain('The configuration is wrong:\n  - LOG_LEVEL must be');
    expect(msg).toContain('\n  - HEALTH_PORT must be >= 0');
    expect(msg).not.toContain('at ');
  });

  it('with --prepare runs `start`, and ends', async () => {
    const service = run({}, '--prepare');
    expect(await service.ended).toBe(0);
    expect(service.output()).toMatch(/^started first$[^]*^stopped last$[^]*"prepared"/m);
    expect(service.output()).not.toMatch(/serves|closes/);
  });

  it('with --prepare and a wrong setting ends with 1', async () => {
    const service = run({ LOG_LEVEL: 'loud' }, '--prepare');
    expect(await service.ended).toBe(1);
    expect(service.output()).toContain('LOG_LEVEL must be');
  });
});
