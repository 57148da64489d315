import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceProcess } from '@joblisting/e2e/harness';

const execute = promisify(execFile);

export interface Memory {
  readonly name: string;
  readonly megabytes: number;
}

/** The resident memory of each process that runs. */
export async function memoryOf(services: readonly ServiceProcess[]): Promise<Memory[]> {
  const running = services.flatMap(({ name, pid }) => {
    const id = pid();
    return id === undefined ? [] : [{ name, id }];
  });
  return Promise.all(
    running.map(async ({ name, id }) => {
      const { stdout } = await execute('ps', ['-o', 'rss=', '-p', String(id)]);
      return { name, megabytes: Number(stdout) / 1024 };
    }),
  );
}

/** The largest of them. */
export const largest = (memories: readonly Memory[]): Memory =>
  memories.reduce((one, other) => (other.megabytes > one.megabytes ? other : one), {
    name: 'none',
    megabytes: 0,
  });
