import { setTimeout as delay } from 'node:timers/promises';
import { inParallel, waitFor } from '@joblisting/testing';
import type { Servers } from '../system/servers.ts';
import type { World } from '../system/world.ts';
import { untilDecided } from './decided.ts';

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

/** Looks into both databases for what a company's jobs and its own categories know of each other. */
export function categoryAudit({ mongod, databasePrefix }: Servers, { api, companyId }: World) {
  /** How many jobs hold each category, by its id. */
  const held = async (): Promise<Map<number, number[]>> => {
    const projection = { companyId: 1, 'categories.id': 1 };
    const jobs = await mongod.read<StoredJob>(`${databasePrefix}jobs`, 'jobs', projection);
    const holders = new Map<number, number[]>();
    for (const { _id, categories = [] } of jobs.filter((job) => job.companyId === companyId)) {
      for (const { id } of categories) holders.set(id, [...(holders.get(id) ?? []), _id]);
    }
    return holders;
  };
  const own = async (): Promise<StoredCategory[]> => {
    const projection = { companyId: 1, references: 1 };
    const all = await mongod.read<StoredCategory>(`${databasePrefix}categories`, 'categories', projection);
    return all.filter((category) => category.companyId === companyId);
  };

  /** Categories of jobs that are gone. */
  const dangling = async (): Promise<string[]> => {
    const holders = await held();
    for (const { _id } of await own()) holders.delete(_id);
    return [...holders].map(([id, jobs]) => `category ${id} of job ${jobs.join(', ')}`);
  };

  /** Categories that count other than as many references as jobs have them. */
  const miscounted = async (): Promise<string[]> => {
    const holders = await held();
    return (await own()).flatMap(({ _id, references }) => {
      const jobs = holders.get(_id)?.length ?? 0;
      return references === jobs ? [] : [`category ${_id} counts ${references}, ${jobs} jobs have it`];
    });
  };

  /**
   * Deletes the categories that no job has, again and again until it has its way: what a crash has left behind must
   * not stand in the way for ever. Resolves to those that withstood at first, and those that did to the end.
   */
  const deleteUnused = async (limitMs: number): Promise<{ atFirst: number; stuck: string[] }> => {
    const holders = await held();
    let left = (await own()).map(({ _id }) => _id).filter((id) => !holders.has(id));
    const giveUpAt = performance.now() + limitMs;
    let atFirst: number | undefined;
    for (;;) {
      const still: number[] = [];
      await inParallel(left, AT_ONCE, async (id) => {
        const { answer } = await untilDecided(() => api.delete(`/jobcategories/${id}`));
        if (answer.status !== 204 && answer.status !== 404) still.push(id);
      });
      left = still;
      atFirst ??= left.length;
      if (left.length === 0 || performance.now() >= giveUpAt) break;
      await delay(1000);
    }
    return { atFirst, stuck: left.map((id) => `category ${id}`) };
  };

  /** Waits until every count is right. Resolves to what is wrong to the end. */
  const untilCounted = async (limitMs: number): Promise<string[]> => {
    let wrong: string[] = [];
    const look = async (): Promise<boolean> => (wrong = await miscounted()).length === 0;
    await waitFor(look, { limitMs, everyMs: 500, what: 'the counts of references' }).catch(() => undefined);
    return wrong;
  };

  return { dangling, deleteUnused, untilCounted };
}
