import type { ArmFigures } from '../measure/figures.ts';
import { residentMegabytes } from '../kernel/process-figures.ts';
import type { Bench } from '../scenarios/scenario.ts';
import { LARGE, lastFullPage, posts, readsOfJobs, readsOfList } from '../scenarios/product-arms.ts';
import { sideBySide } from '../scenarios/side-by-side.ts';
import type { Seeded } from '../seed/seed.ts';

/** What one number of jobs and of replicas of the jobs service comes to. */
export interface Cell {
  readonly jobs: number;
  readonly replicas: number;
  /** Of the dearest replica, in MB. */
  readonly memory: number;
  readonly arms: readonly ArmFigures[];
}

/** Measures what grows first where something does: single reads, the ends of the largest list, new jobs. */
export async function measureCell(
  bench: Pick<Bench, 'sizes' | 'groups' | 'say'>,
  seeded: Seeded,
  replicas: number,
): Promise<Cell> {
  const page = await lastFullPage(seeded, LARGE);
  const arms = await sideBySide(bench, [
    readsOfJobs(seeded, undefined, 'GET job'),
    readsOfList(seeded, { name: 'list, page 1', company: LARGE }),
    readsOfList(seeded, { name: 'list, last page', company: LARGE, page }),
    posts(seeded, { name: 'POST', format: 'text', categories: 0 }),
  ]);
  const memory = Math.max(...seeded.product.pids('jobs').map(residentMegabytes));
  return { jobs: bench.sizes.jobs, replicas, memory, arms };
}
