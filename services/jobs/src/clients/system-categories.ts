import type { Bus, CallContext } from '@joblisting/bus';
import {
  type AssignedCategory,
  categoriesChanged,
  isNotExecuted,
  listCategories,
  nameKey,
} from '@joblisting/contracts';
import { type Background, background, type Log, ownCall, type TaskOutcome } from '@joblisting/service-kit';
import type { CategoryReference } from '../domain/categories.ts';

/** Reload interval, in case a notification was lost. */
const LOAD_EVERY_MS = 60_000;
/** Before the first load: if all services start together, `categories` may be ready later. */
const RETRY_MS = 1000;
const LOAD_LIMIT_MS = 3000;
/** `categories` notifies of each change of any category. One load covers the notifications of a second. */
const REST_MS = 1000;

/**
 * The system categories, in memory. Nobody can rename or delete one, so a hit is always right. A miss may be a new one,
 * which only `categories` knows.
 */
export function systemCategories(bus: Bus, log: Log) {
  let byId: ReadonlyMap<number, AssignedCategory> = new Map();
  let byName: ReadonlyMap<string, AssignedCategory> = new Map();

  const load = async (context: CallContext): Promise<void> => {
    const { data } = await bus.request(listCategories, { params: {}, context });
    const all = data.map(({ id, name }): AssignedCategory => ({ id, name, version: 1, created: false }));
    byId = new Map(all.map((category) => [category.id, category]));
    byName = new Map(all.map((category) => [nameKey(category.name), category]));
  };

  return {
    /** The system category with this id, or else with this name, of accepted length; undefined if unknown. */
    find: ({ id, name = '' }: CategoryReference): AssignedCategory | undefined =>
      id === undefined ? byName.get(nameKey(name)) : byId.get(id),

    /** Loads them if none are loaded yet. Rejects as the call to `categories` does. */
    ensureLoaded: async (context: CallContext): Promise<void> => {
      if (byId.size === 0) await load(context);
    },

    /** Loads them now, after each notification of a change, and every minute. */
    startLoading: (): Background => {
      const task = async (): Promise<TaskOutcome> => {
        try {
          await load(ownCall(LOAD_LIMIT_MS));
        } catch (error) {
          if (!isNotExecuted(error)) throw error;
        }
        return byId.size > 0 ? 'idle' : undefined;
      };
      const options = { restMs: REST_MS, idleMs: LOAD_EVERY_MS };
      const loading = background('load system categories', RETRY_MS, task, log, options);
      bus.listen(categoriesChanged, loading.trigger);
      return loading;
    },
  };
}
