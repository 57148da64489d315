import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ServiceProcess } from '@joblisting/testing/system';

const execute = promisify(execFile);

export interface Memory {
  readonly name: string;
  readonly megabytes: number;
}

/** The resident memory of each running process. */
export async function memoryOf(services: readonly ServiceProcess[]): Promise<Memory[]> {
  const names = new Map(services.map(({ name, pid }) => [pid(), name]));
  names.delete(undefined);
  const { stdout } = await execute('ps', ['-o', 'pid=,rss=', '-p', [...names.keys()].join(',')]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid, kilobytes = 0]) => ({ name: names.get(pid) ?? '', megabytes: kilobytes / 1024 }));
}

/** The process that grew most between two readings, and by how much. */
export const largestGrowth = (before: readonly Memory[], after: readonly Memory[]): Memory =>
  after
    .map(({ name, megabytes }, index) => ({ name, megabytes: megabytes - (before[index]?.megabytes ?? 0) }))
    .reduce((one, other) => (other.megabytes > one.megabytes ? other : one), { name: 'none', megabytes: 0 });
