import { serviceNames } from '@joblisting/testing/system';
import { seed } from '../seed/seed.ts';
import type { Sizes } from '../sizes.ts';
import { groupsOf } from '../system/product.ts';
import { type Servers, startServers } from '../system/servers.ts';
import { type Cell, measureCell } from './cells.ts';

/** Disk use of one number of jobs, in bytes. */
export interface Storage {
  readonly jobs: number;
  /** Size of the documents before compression. */
  readonly data: number;
  readonly onDisk: number;
  readonly indexes: number;
}

export interface Sweep {
  readonly cells: readonly Cell[];
  readonly storage: readonly Storage[];
}

export interface SweepOptions {
  readonly sizes: Sizes;
  readonly jobs: readonly number[];
  readonly replicas: readonly number[];
}

/** Half of all jobs belong to one company. */
export const sizesFor = (sizes: Sizes, jobs: number): Sizes => ({
  ...sizes,
  jobs,
  companies: 10,
  largeCompany: Math.floor(jobs / 2),
  smallCompany: Math.min(1000, Math.floor(jobs / 20)),
  templates: Math.min(sizes.templates, jobs),
});

/** Seeds one size after another and measures it with each number of replicas. */
export async function sweep(options: SweepOptions, say: (line: string) => void): Promise<Sweep> {
  const cells: Cell[] = [];
  const storage: Storage[] = [];
  const servers = await startServers();
  try {
    for (const jobs of options.jobs) {
      const sizes = sizesFor(options.sizes, jobs);
      say(`Seeding ${jobs} jobs`);
      const seeded = await seed(servers, sizes, { withPlain: false });
      const { product } = seeded;
      try {
        storage.push(await storageOf(servers, `${product.databasePrefix}jobs`, jobs));
        for (const replicas of options.replicas) {
          say(`${jobs} jobs, ${replicas} replicas of the jobs service`);
          await product.stop(['jobs']);
          await product.start(['jobs'], { replicas });
          cells.push(await measureCell({ sizes, groups: groupsOf(servers, product), say }, seeded, replicas));
        }
      } finally {
        await product.stop();
        await dropDatabases(servers, product.databasePrefix);
      }
    }
  } finally {
    await servers.stop();
  }
  return { cells, storage };
}

async function storageOf({ mongod }: Servers, name: string, jobs: number): Promise<Storage> {
  const { dataSize, storageSize, indexSize } = await mongod.withDatabase(name, (database) =>
    database.stats(),
  );
  return { jobs, data: Number(dataSize), onDisk: Number(storageSize), indexes: Number(indexSize) };
}

/** Frees the cache for the next size. */
async function dropDatabases({ mongod }: Servers, prefix: string): Promise<void> {
  for (const name of serviceNames) {
    await mongod.withDatabase(prefix + name, (database) => database.dropDatabase());
  }
}
