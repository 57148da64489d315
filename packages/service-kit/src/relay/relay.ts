import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@joblisting/bus';
import type { Event } from '@joblisting/contracts';
import { semaphore, withTimeout } from '../batching.ts';
import type { Log } from '../log.ts';
import type { Mongo } from '../mongo.ts';
import type { RelayMetrics } from './relay-metrics.ts';
import {
  type ChangeStream,
  type DocumentChange,
  isPositionLost,
  type OperationTime,
  type RelayStore,
  type ScanPosition,
  StreamInvalidated,
} from './relay-store.ts';

/** What is published for a change. */
export interface RelayMessage<Payload extends object = object> {
  readonly event: Event<Payload>;
  readonly payload: Payload;
  readonly messageId: string;
}

interface RelayDeps<C> {
  readonly store: RelayStore<C>;
  /** Follows the oplog; closed with the relay. */
  readonly patient: Mongo;
  readonly bus: Pick<Bus, 'publishEvent'>;
  readonly log: Log;
  readonly metrics: RelayMetrics;
  /** Undefined for a change that this release cannot read: it is skipped. */
  readonly messageOf: (documentId: number, change: C) => RelayMessage | undefined;
}

/** How long the database may read the oplog for the next change: the time-out of `patient`. */
export const RELAY_READ_TIMEOUT_MS = 60_000;

const BATCH = 500;
/** Changes of this time are read and published together, because each batch is a round trip to the database. */
const GATHER_MS = 50;
/** More concurrent publishes would delay requests of this process. */
const MAX_IN_FLIGHT = 50;
/** Another replica leads this long after the leader was killed. */
const LEASE_MS = 6000;
/** Saving after each batch would double the writes. After a crash, the stream drops what is published again. */
const SAVE_EVERY_MS = 1000;
const RETRY_MS = 1000;
/** A frozen database must not delay the end of the process. */
const STOP_LIMIT_MS = 3000;

/**
 * Publishes every change. At least once: a change that is published again has the same message id. The stream gets the
 * first copies of a document's changes in the order of the oplog. One replica leads; two do no harm.
 * @returns a stop that resolves once nothing is under way, or after a short while
 */
export function startRelay<C>({
  store,
  patient,
  bus,
  log,
  metrics,
  messageOf,
}: RelayDeps<C>): () => Promise<void> {
  const replicaId = randomUUID();
  const stopping = new AbortController();
  const { signal } = stopping;
  const inFlight = semaphore(MAX_IN_FLIGHT);

  const publish = async ({ documentId, change }: DocumentChange<C>): Promise<void> => {
    const message = messageOf(documentId, change);
    if (!message) {
      metrics.skipped();
      log.error({ documentId, change }, 'a change that this release cannot read is not published');
      return;
    }
    await bus.publishEvent(message.event, message.payload, message.messageId);
  };

  const publishInOrder = async (changes: readonly DocumentChange<C>[]): Promise<void> => {
    for (const change of changes) await publish(change);
  };

  const publishAll = async (changes: readonly DocumentChange<C>[]): Promise<void> => {
    // A later change of a document must not enter the stream if an earlier one failed to.
    const byDocument = Map.groupBy(changes, ({ documentId }) => documentId);
    await Promise.all(Array.from(byDocument.values(), (own) => inFlight(() => publishInOrder(own))));
    metrics.published(changes.length);
  };

  const follow = async (changes: ChangeStream<C>): Promise<void> => {
    let savedAt = Date.now();
    while (!signal.aborted) {
      const batch = await nextBatch(changes);
      if (changes.closed) throw new StreamInvalidated();
      const [first] = batch;
      if (first) {
        metrics.behindSince(first.clusterTime.t * 1000);
        await publishAll(batch.map(({ documentKey, change }) => ({ documentId: documentKey._id, change })));
        if (batch.length < BATCH) await delay(GATHER_MS);
      } else metrics.caughtUp();
      if (Date.now() - savedAt < SAVE_EVERY_MS) continue;
      // Saved even without a change: once the oplog has rolled over, an old token is lost.
      if (!(await store.save(replicaId, changes.resumeToken, LEASE_MS))) return;
      savedAt = Date.now();
    }
    await store.save(replicaId, changes.resumeToken, LEASE_MS);
  };

  /** Kept after a failed attempt, so that the next one continues: the stream drops duplicates for two minutes only. */
  let repair: { readonly startAt: OperationTime; next: ScanPosition | undefined } | undefined;

  const publishPresentState = async (): Promise<void> => {
    repair ??= { startAt: await store.operationTime(), next: store.scanStart };
    while (repair.next) {
      if (signal.aborted || !(await store.lead(replicaId, LEASE_MS))) return;
      const { changes, next } = await store.scan(repair.next);
      await publishAll(changes);
      repair.next = next;
    }
    await store.restart(replicaId, repair.startAt);
    repair = undefined;
  };

  const lead = async (): Promise<void> => {
    const position = await store.lead(replicaId, LEASE_MS);
    if (!position) return metrics.follows();
    metrics.leads();
    const changes = store.watch(patient, position);
    try {
      await follow(changes);
    } catch (error) {
      if (!isPositionLost(error)) throw error;
      if (!repair) {
        metrics.positionLost();
        log.error(
          { err: error },
          'the position in the oplog is lost; the present changes of each document are published',
        );
      }
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
        log.warn({ err: error }, 'changes are not published; it will be tried again');
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
    await store.release(replicaId).catch(() => undefined);
  };

  const running = run();
  return async () => {
    stopping.abort();
    await withTimeout(running, STOP_LIMIT_MS).catch(() => undefined);
    await withTimeout(patient.close(), STOP_LIMIT_MS).catch(() => undefined);
  };
}

/** The changes that are available, or the first one to arrive in time; otherwise none. */
async function nextBatch<C>(changes: ChangeStream<C>) {
  const first = await changes.tryNext();
  const batch = first ? [first] : [];
  while (batch.length < BATCH && changes.bufferedCount() > 0) {
    const next = await changes.tryNext();
    if (next) batch.push(next);
  }
  return batch;
}
