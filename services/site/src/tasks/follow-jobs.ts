import type { Bus, Consuming } from '@joblisting/bus';
import {
  type JobChanged,
  jobClosed,
  jobCreated,
  jobDeleted,
  jobPublished,
  jobUpdated,
  status,
} from '@joblisting/contracts';
import type { Clock, Log } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import type { PostingStore } from '../store/posting-store.ts';

const MESSAGES_AT_ONCE = 100;

interface FollowDeps {
  readonly bus: Bus;
  readonly jobs: JobsClient;
  readonly postings: PostingStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keeps the postings as the events of jobs say. What an event does not tell, it reads from `jobs`. */
export function followJobs({ bus, jobs, postings, clock, log }: FollowDeps): Consuming {
  const follow = async (changes: readonly JobChanged[]): Promise<void> => {
    const latest = new Map<number, JobChanged>();
    for (const change of changes) {
      if (change.version > (latest.get(change.jobId)?.version ?? 0)) latest.set(change.jobId, change);
    }
    const ids = [...latest.keys()].toSorted((a, b) => a - b);
    for (let after: number | null = 0; after !== null;) {
      const page = await jobs.read({ ids, after });
      await postings.put(page.jobs, clock.now());
      for (const { id } of page.jobs) latest.delete(id);
      after = page.next;
    }
    for (const { jobId, companyId, version, statusId } of latest.values()) {
      // A later event tells why it is not Published any more.
      if (statusId === status.published) continue;
      const state = statusId === status.closed ? 'closed' : 'hidden';
      await postings.withdraw({ jobId, companyId, version, state }, clock.now());
    }
  };
  const remove = async (changes: readonly JobChanged[]): Promise<void> => {
    for (const { jobId, companyId, version } of changes) {
      await postings.withdraw({ jobId, companyId, version, state: 'deleted' }, clock.now());
    }
  };

  const onError = (err: unknown) => log.warn({ err }, 'could not follow changes of jobs; they come again');
  const options = { batch: MESSAGES_AT_ONCE, onError };
  const all = [
    bus.consume(jobCreated, { durable: 'site-created', handle: follow, ...options }),
    bus.consume(jobUpdated, { durable: 'site-updated', handle: follow, ...options }),
    bus.consume(jobPublished, { durable: 'site-published', handle: follow, ...options }),
    bus.consume(jobClosed, { durable: 'site-closed', handle: follow, ...options }),
    bus.consume(jobDeleted, { durable: 'site-deleted', handle: remove, ...options }),
  ];
  return { stop: async () => void (await Promise.all(all.map(({ stop }) => stop()))) };
}
