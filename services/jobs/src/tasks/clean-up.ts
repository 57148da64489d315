import { INT32_MAX } from '@joblisting/contracts';
import { type Log, ownCall } from '@joblisting/service-kit';
import type { CategoriesClient } from '../clients/categories.ts';
import type { CountersClient } from '../clients/counters.ts';
import type { LinksClient } from '../clients/links.ts';
import type { AnswerStore } from '../store/answer-store.ts';
import type { TombstoneStore } from '../store/tombstone-store.ts';

interface CleanUpDeps {
  readonly log: Log;
  readonly tombstones: TombstoneStore;
  readonly categories: CategoriesClient;
  readonly links: LinksClient;
  readonly counters: CountersClient;
}

export type CleanUp = ReturnType<typeof cleaningUp>;

/** How long a DELETE waits for other services. A task does the rest. */
const LIMIT_MS = 1000;

/**
 * Removes the category references, short links and counters of deleted jobs (API decisions, "DELETE"). Each step can be
 * repeated. Never rejects; resolves to whether all is done.
 */
export function cleaningUp({ log, tombstones, categories, links, counters }: CleanUpDeps) {
  return async (jobIds: readonly number[]): Promise<boolean> => {
    const context = ownCall(LIMIT_MS);
    try {
      const [, , ...released] = await Promise.all([
        links.removeLinks(jobIds, context),
        counters.forget(jobIds, context),
        ...jobIds.map((jobId) => categories.release(jobId, INT32_MAX, [], context)),
      ]);
      if (released.includes(false)) return false;
      await tombstones.markCleaned(jobIds);
      return true;
    } catch (error) {
      log.warn({ err: error, jobIds }, 'deleted jobs are not cleaned up yet');
      return false;
    }
  };
}

const CHUNK = 100;

/** Finishes the clean-up of deleted jobs if DELETE could not. */
export function cleanUpDeleted(tombstones: TombstoneStore, cleanUp: CleanUp, stopping: AbortSignal) {
  return async (): Promise<void> => {
    while (!stopping.aborted) {
      const ids = await tombstones.uncleaned(CHUNK);
      if (ids.length === 0 || !(await cleanUp(ids)) || ids.length < CHUNK) return;
    }
  };
}

/** Each job may have megabytes and is rewritten: a chunk must end well within the socket's time-out. */
const ANSWERS_CHUNK = 50;

/** Drops expired kept answers from jobs and tombstones. */
export function forgetAnswers(answers: AnswerStore, stopping: AbortSignal) {
  return async (): Promise<void> => {
    while (!stopping.aborted) {
      if ((await answers.forgetExpired(ANSWERS_CHUNK)) < ANSWERS_CHUNK) return;
    }
  };
}
