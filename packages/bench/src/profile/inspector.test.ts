import { afterEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort, waitFor } from '@joblisting/testing';
import { inspectableFlags, record } from './inspector.ts';

const WORK = `
  function burn() { const endAt = Date.now() + 5; while (Date.now() < endAt); process.stdout.write('.'); }
  setInterval(burn, 6);
`;

describe('record', () => {
  let child: ChildProcess;
  let burned = 0;

  async function start(port: number): Promise<number> {
    child = spawn(process.execPath, [...inspectableFlags(port), '--eval', WORK], {
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout?.on('data', (dots: Buffer) => (burned += dots.length));
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
      const before = burned;
      await waitFor(() => burned > before + 40, { what: 'some work' });
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
