import type { Bus, CallContext } from '@joblisting/bus';
import {
  acquireCategories,
  type AssignedCategory,
  getCategory,
  previewCategories,
  releaseCategories,
  ServiceError,
} from '@joblisting/contracts';
import { type Log, withDeadline } from '@joblisting/service-kit';
import type { CategoryReference } from '../domain/categories.ts';
import { systemCategories } from './system-categories.ts';

export type CategoriesClient = ReturnType<typeof categoriesClient>;

/** Categories for a job that must be committed by `commitBy` (epoch ms). Later, the sweep may drop its references. */
export interface Acquired {
  readonly categories: readonly AssignedCategory[];
  readonly commitBy: number;
}

export interface Acquisition {
  readonly companyId: number;
  readonly jobId: number;
  /** The version at which the job is committed with them. */
  readonly version: number;
  readonly categories: readonly CategoryReference[];
}

/** The sweep of `categories` drops no reference that is younger than this. */
const COMMIT_LIMIT_MS = 15_000;
const RELEASE_LIMIT_MS = 1000;
/** Bounds the look-up of categories for a request that is refused anyway. */
const LOOK_UP_LIMIT_MS = 500;

/** The requests of this service to `categories`. */
export function categoriesClient(bus: Bus, log: Log) {
  const system = systemCategories(bus, log);

  const isUnknown = async (id: number, companyId: number, context: CallContext): Promise<boolean> => {
    if (system.find({ id })) return false;
    try {
      const { data } = await bus.request(getCategory, { params: { id }, context });
      return data.company !== null && data.company.id !== companyId;
    } catch (error) {
      return error instanceof ServiceError && error.code === 'category_not_found';
    }
  };

  /** The categories, if each is known as a system category. */
  const findSystem = async (
    named: readonly CategoryReference[],
    context: CallContext,
  ): Promise<AssignedCategory[] | undefined> => {
    if (named.length > 0) await system.ensureLoaded(context);
    const known = named.map(system.find);
    return known.every((category) => category !== undefined) ? known : undefined;
  };

  return {
    /** Keeps the system categories in memory until it is stopped. */
    start: system.startLoading,

    /** Whether this is known to be a system category: a job that has it has no reference to release. */
    isSystem: (reference: CategoryReference): boolean => system.find(reference) !== undefined,

    /** Which of these are neither system categories nor the company's: best effort within LOOK_UP_LIMIT_MS. */
    unknown: async (ids: readonly number[], companyId: number, context: CallContext): Promise<number[]> => {
      const limited = withDeadline(context, LOOK_UP_LIMIT_MS);
      const unknown = await Promise.all(ids.map((id) => isUnknown(id, companyId, limited)));
      return ids.filter((_id, index) => unknown[index]);
    },

    /**
     * Resolves to one category for each that is named, in order. Requests `categories` only if one is not a known
     * system category; `categories` then counts a reference of the job on each custom one. Rejects with
     * `validation_failed` for unknown ids.
     */
    acquire: async (acquisition: Acquisition, context: CallContext): Promise<Acquired> => {
      const known = await findSystem(acquisition.categories, context);
      if (known) return { categories: known, commitBy: Infinity };
      const commitBy = Date.now() + COMMIT_LIMIT_MS;
      const { data } = await bus.request(acquireCategories, { body: acquisition, context });
      return { categories: data.categories, commitBy };
    },

    /** What `acquire` would resolve to, without doing it. Categories that it would create have ids below 1. */
    preview: async (
      { companyId, categories }: Pick<Acquisition, 'companyId' | 'categories'>,
      context: CallContext,
    ): Promise<Acquired> => {
      const known = await findSystem(categories, context);
      if (known) return { categories: known, commitBy: Infinity };
      const { data } = await bus.request(previewCategories, { body: { companyId, categories }, context });
      return { categories: data.categories, commitBy: Infinity };
    },

    /**
     * Drops the job's references, acquired at `version` or before, to all categories but `keep`. Resolves to false if
     * `categories` may not have done it; its sweep then drops them.
     */
    release: async (
      jobId: number,
      version: number,
      keep: readonly number[],
      context: CallContext,
    ): Promise<boolean> => {
      try {
        const body = { jobId, version, keep };
        await bus.request(releaseCategories, { body, context: withDeadline(context, RELEASE_LIMIT_MS) });
        return true;
      } catch (error) {
        log.warn({ err: error, jobId }, 'categories were not released; the sweep will do it');
        return false;
      }
    },
  };
}
