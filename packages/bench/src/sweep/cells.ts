import type { VariantFigures } from '../measure/figures.ts';
import { residentMegabytes } from '../measure/processes.ts';
import { getJobs, getPage, LARGE, lastFullPage, postJobs } from '../scenarios/product.ts';
import { type Bench, compare } from '../scenarios/scenario.ts';
import type { Seeded } from '../seed/seed.ts';

/** Figures for one number of jobs and one number of replicas of the jobs service. */
export interface Cell {
  readonly jobs: number;
  readonly replicas: number;
  /** Memory of the largest replica, in MB. */
  readonly memory: number;
  readonly variants: readonly VariantFigures[];
}

/** Measures single reads, both ends of the largest list, and new jobs. */
export async function measureCell(
  bench: Pick<Bench, 'sizes' | 'groups' | 'say'>,
  seeded: Seeded,
  replicas: number,
): Promise<Cell> {
  const page = await lastFullPage(seeded, LARGE);
  const variants = await compare(bench, [
    getJobs(seeded, undefined, 'GET job'),
    getPage(seeded, { name: 'list, page 1', company: LARGE }),
    getPage(seeded, { name: 'list, last page', company: LARGE, page }),
    postJobs(seeded, { name: 'POST' }),
  ]);
  const pids = seeded.product.replicas('jobs').flatMap(({ pid }) => pid() ?? []);
  const memory = Math.max(...pids.map(residentMegabytes));
  return { jobs: bench.sizes.jobs, replicas, memory, variants };
}
