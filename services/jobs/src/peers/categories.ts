import type { Bus, CallContext } from '@joblisting/bus';
import {
  acquireCategories,
  acquireForMany,
  type AssignedCategory,
  fromErrorBody,
  getCategory,
  releaseCategories,
  ServiceError,
} from '@joblisting/contracts';
import type { Log } from '@joblisting/service-kit';
import type { CategoryReference } from '../domain/categories.ts';
import { askedTogether } from './asked-together.ts';
import { within } from './within.ts';

export type CategoriesPeer = ReturnType<typeof categoriesPeer>;

/** Counted references. They must not be committed after `commitBy` (epoch ms): the sweep may have taken them back. */
export interface Acquired {
  readonly categories: readonly AssignedCategory[];
  readonly commitBy: number;
}

export interface Acquisition {
  readonly companyId: number;
  readonly jobId: number;
  /** The version at which the job is going to be committed with them. */
  readonly version: number;
  readonly categories: readonly CategoryReference[];
}

/** The sweep of `categories` leaves references alone that are younger than this. */
const COMMIT_LIMIT_MS = 15_000;
const RELEASE_LIMIT_MS = 1000;
/** A request that is refused anyway waits no longer than this to be told of its categories as well. */
const LOOK_UP_LIMIT_MS = 500;

/** What this service asks of `categories`. */
export function categoriesPeer(bus: Bus, log: Log) {
  const isUnknown = async (id: number, companyId: number, context: CallContext): Promise<boolean> => {
    try {
      const { data } = await bus.request(getCategory, { params: { id }, context });
      return data.company !== null && data.company.id !== companyId;
    } catch (error) {
      return error instanceof ServiceError && error.code === 'category_not_found';
    }
  };

  const together = askedTogether<Acquisition, AssignedCategory[]>({
    one: async (acquisition, context) => {
      const { data } = await bus.request(acquireCategories, { body: acquisition, context });
      return data.categories;
    },
    many: async (acquisitions, context) => {
      const { data } = await bus.request(acquireForMany, { body: { acquisitions }, context });
      return data.outcomes.map(({ categories, error }) =>
        error ? fromErrorBody(error) : (categories ?? []),
      );
    },
  });

  return {
    /** Which of these are neither system categories nor the company's, as far as that can be said in short time. */
    unknown: async (ids: readonly number[], companyId: number, context: CallContext): Promise<number[]> => {
      const inTime = within(LOOK_UP_LIMIT_MS, context);
      const unknown = await Promise.all(ids.map((id) => isUnknown(id, companyId, inTime)));
      return ids.filter((_id, index) => unknown[index]);
    },

    /** Counts a reference of the job on each category. Rejects with `validation_failed` for unknown ids. */
    acquire: async (acquisition: Acquisition, context: CallContext): Promise<Acquired> => {
      const commitBy = Date.now() + COMMIT_LIMIT_MS;
      if (acquisition.categories.length === 0) return { categories: [], commitBy };
      return { categories: await together(acquisition, context), commitBy };
    },

    /**
     * Drops the job's references but `keep`, acquired at `version` or before. Resolves to whether that is known to
     * be done; where it is not, the sweep of `categories` does it.
     */
    release: async (
      jobId: number,
      version: number,
      keep: readonly number[],
      context: CallContext,
    ): Promise<boolean> => {
      try {
        const body = { jobId, version, keep };
        await bus.request(releaseCategories, { body, context: within(RELEASE_LIMIT_MS, context) });
        return true;
      } catch (error) {
        log.warn({ err: error, jobId }, 'categories were not released; the sweep will do it');
        return false;
      }
    },
  };
}
