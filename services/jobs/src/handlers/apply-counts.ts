import type { applyCounts } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CountStore } from '../store/count-store.ts';
import type { ListStore } from '../store/list-store.ts';

/** Raises the counts of jobs, and names those that are gone. */
export function applyCountsHandler(counts: CountStore, lists: ListStore): Handler<typeof applyCounts> {
  return async ({ body }) => {
    if (await counts.raise(body.counts)) return { data: { unknown: [] } };
    const ids = [...new Set(body.counts.map(({ jobId }) => jobId))];
    const existing = new Set(await lists.existing(ids));
    return { data: { unknown: ids.filter((id) => !existing.has(id)) } };
  };
}
