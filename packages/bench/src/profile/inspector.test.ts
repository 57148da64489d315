import { afterEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@joblisting/testing';
import { inspectableFlags, record } from './inspector.ts';

const WORK = `
  function burn() { const endAt = Date.now() + 5; while (Date.now() < endAt); }
  setInterval(burn, 6);
  console.log('ready');
`;

describe('record', () => {
  let child: ChildProcess;

  async function start(port: number): Promise<number> {
    child = spawn(process.execPath, [...inspectableFlags(port), '--eval', WORK], {
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    return child.pid as number;
  }

  async function kill(): Promise<void> {
    if (child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  afterEach(kill);

  it('tells what a process does, and does so again', async () => {
    const port = await freePort();
    const pid = await start(port);
    for (let time = 0; time < 2; time++) {
      const { stop } = await record({ pid, port });
      await delay(500);
      const { nodes } = await stop();
      const hits = nodes.filter(
        ({ callFrame, hitCount = 0 }) => callFrame.functionName === 'burn' && hitCount,
      );
      expect(hits).not.toHaveLength(0);
    }
  });

  it('rejects when the process ends meanwhile', async () => {
    const port = await freePort();
    const { stop } = await record({ pid: await start(port), port });
    await kill();
    await expect(stop()).rejects.toThrow('Profiler.stop: the inspector closed the connection');
  });
});
