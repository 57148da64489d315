import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@joblisting/bus';
import * as contract from '@joblisting/contracts';
import { type Log, withTimeout } from '@joblisting/service-kit';
import { bulkhead } from 'cockatiel';
import type { ChangeKind } from '../domain/change.ts';
import { type ChangeStream, isPositionLost, type JobChange, type RelayStore } from '../store/relay-store.ts';
import type { RelayMetrics } from './relay-metrics.ts';

interface RelayDependencies {
  readonly store: RelayStore;
  readonly bus: Pick<Bus, 'publishEvent'>;
  readonly log: Log;
  readonly metrics: RelayMetrics;
}

const BATCH = 500;
/** More published at once would hold up requests of this process. */
const IN_FLIGHT = 50;
/** Another replica leads this long after the leader was killed. */
const LEASE_MS = 6000;
const RENEW_MS = 2000;
const RETRY_MS = 1000;
/** A frozen database must not hold up the end of the process. */
const STOP_LIMIT_MS = 3000;

const eventOf = {
  created: contract.jobCreated,
  updated: contract.jobUpdated,
  published: contract.jobPublished,
  closed: contract.jobClosed,
  deleted: contract.jobDeleted,
} as const satisfies Record<ChangeKind, contract.Event>;

/**
 * Publishes every change of a job in the order of the oplog, with the message id `job:<id>:<version>`. At least once:
 * consumers fold by (job, version). One replica leads; two do no harm.
 * @returns a stop that resolves once nothing is under way, or after a short while
 */
export function startRelay({ store, bus, log, metrics }: RelayDependencies): () => Promise<void> {
  const me = randomUUID();
  const stopping = new AbortController();
  const { signal } = stopping;
  const inFlight = bulkhead(IN_FLIGHT, BATCH);

  const publish = ({ jobId, change }: JobChange) => {
    const { kind, at, ...rest } = change;
    const payload: contract.JobChanged = { jobId, ...rest, at: at.toISOString() };
    return bus.publishEvent(eventOf[kind], payload, `job:${jobId}:${change.version}`);
  };

  const publishAll = async (changes: readonly JobChange[]): Promise<void> => {
    await Promise.all(changes.map((change) => inFlight.execute(() => publish(change))));
    metrics.published(changes.length);
  };

  const follow = async (changes: ChangeStream): Promise<void> => {
    let savedAt = Date.now();
    while (!signal.aborted) {
      const batch = await nextBatch(changes);
      const [first] = batch;
      if (first) {
        metrics.behindSince(first.clusterTime.getHighBits() * 1000);
        await publishAll(batch.map(({ documentKey, change }) => ({ jobId: documentKey._id, change })));
      } else metrics.caughtUp();
      if (!first && Date.now() - savedAt < RENEW_MS) continue;
      // Saved without a change as well: an old token is lost once the oplog has rolled over.
      if (!(await store.save(me, changes.resumeToken, LEASE_MS))) return;
      savedAt = Date.now();
    }
  };

  const publishPresentState = async (): Promise<void> => {
    const startAt = await store.operationTime();
    for await (const changes of store.allChanges()) {
      if (signal.aborted || !(await store.lead(me, LEASE_MS))) return;
      await publishAll(changes);
    }
    await store.restart(me, startAt);
  };

  const lead = async (): Promise<void> => {
    const position = await store.lead(me, LEASE_MS);
    if (!position) return metrics.follows();
    metrics.leads();
    const changes = store.watch(position);
    try {
      await follow(changes);
    } catch (error) {
      if (!isPositionLost(error)) throw error;
      metrics.positionLost();
      log.error(
        { err: error },
        'the position in the oplog is lost; the present state of all jobs is published',
      );
      await publishPresentState();
    } finally {
      await changes.close();
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await lead();
      } catch (error) {
        log.warn({ err: error }, 'changes of jobs are not published; it will be tried again');
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
    await store.release(me).catch(() => undefined);
  };

  const running = run();
  return async () => {
    stopping.abort();
    await withTimeout(running, STOP_LIMIT_MS).catch(() => undefined);
  };
}

/** What is there, or the first that comes; nothing where none comes in time. */
async function nextBatch(changes: ChangeStream) {
  const first = await changes.tryNext();
  const batch = first ? [first] : [];
  while (batch.length < BATCH && changes.bufferedCount() > 0) {
    const next = await changes.tryNext();
    if (next) batch.push(next);
  }
  return batch;
}
