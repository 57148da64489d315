import { setTimeout as delay } from 'node:timers/promises';
import { inParallel } from '@joblisting/testing';
import type { Servers } from '../system/servers.ts';
import type { World } from '../system/world.ts';
import { untilDecided } from './decided.ts';
import { untilNone } from './until-none.ts';

const AT_ONCE = 6;

interface StoredJob {
  readonly _id: number;
  readonly companyId: number;
  readonly categories?: readonly { readonly id: number }[];
}

interface StoredCategory {
  readonly _id: number;
  readonly companyId: number | null;
  readonly references: number;
}

/** Compares the stored jobs and categories of a company. */
export function categoryAudit({ mongod, databasePrefix }: Servers, { api, companyId }: World) {
  /** The jobs of each category. */
  const jobsByCategory = async (): Promise<Map<number, number[]>> => {
    const projection = { companyId: 1, 'categories.id': 1 };
    const jobs = await mongod.read<StoredJob>(`${databasePrefix}jobs`, 'jobs', projection);
    const byCategory = new Map<number, number[]>();
    for (const { _id, categories = [] } of jobs.filter((job) => job.companyId === companyId)) {
      for (const { id } of categories) byCategory.set(id, [...(byCategory.get(id) ?? []), _id]);
    }
    return byCategory;
  };
  const own = async (): Promise<StoredCategory[]> => {
    const projection = { companyId: 1, references: 1 };
    const all = await mongod.read<StoredCategory>(`${databasePrefix}categories`, 'categories', projection);
    return all.filter((category) => category.companyId === companyId);
  };

  /** Deleted categories that jobs have. */
  const dangling = async (): Promise<string[]> => {
    const byCategory = await jobsByCategory();
    for (const { _id } of await own()) byCategory.delete(_id);
    return [...byCategory].map(([id, jobs]) => `category ${id} of job ${jobs.join(', ')}`);
  };

  /** Categories whose count of references is not the number of their jobs. */
  const wrongCounts = async (): Promise<string[]> => {
    const byCategory = await jobsByCategory();
    return (await own()).flatMap(({ _id, references }) => {
      const jobs = byCategory.get(_id)?.length ?? 0;
      return references === jobs ? [] : [`category ${_id} counts ${references}, ${jobs} jobs have it`];
    });
  };

  /**
   * Deletes the categories without a job, with retries: references that a crash leaked must be repaired. Resolves to
   * the number that could not be deleted at first, and to those that could not be deleted within the limit.
   */
  const deleteUnused = async (limitMs: number): Promise<{ atFirst: number; stuck: string[] }> => {
    const byCategory = await jobsByCategory();
    let left = (await own()).map(({ _id }) => _id).filter((id) => !byCategory.has(id));
    const limitAt = performance.now() + limitMs;
    let atFirst: number | undefined;
    for (;;) {
      const remaining: number[] = [];
      await inParallel(left, AT_ONCE, async (id) => {
        const { answer } = await untilDecided(() => api.delete(`/jobcategories/${id}`));
        if (answer.status !== 204 && answer.status !== 404) remaining.push(id);
      });
      left = remaining;
      atFirst ??= left.length;
      if (left.length === 0 || performance.now() >= limitAt) break;
      await delay(1000);
    }
    return { atFirst, stuck: left.map((id) => `category ${id}`) };
  };

  /** Resolves to the categories whose counts are still wrong at the limit. */
  const untilCounted = (limitMs: number): Promise<readonly string[]> =>
    untilNone(wrongCounts, { limitMs, everyMs: 500, what: 'the counts of references' });

  return { dangling, deleteUnused, untilCounted };
}
