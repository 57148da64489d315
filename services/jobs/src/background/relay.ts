import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Bus } from '@joblisting/bus';
import { jobClosed, jobPublished, status } from '@joblisting/contracts';
import { atMost } from '../store/at-most.ts';
import type { OfOutboxes, Outgoing, OutboxStore, OutgoingChunk } from '../store/outbox-store.ts';
import { overlapped } from '../store/overlapped.ts';

const CHUNK = 1000;
/** To publish a whole chunk without a break would keep requests waiting for 30 ms. */
const BEGUN_AT_ONCE = 50;
/**
 * The collector copies what waits for its answer again and again: with all of a chunk, p99 of reads at a noon was 65 ms
 * instead of 50.
 */
const GROUPS_UNDER_WAY = 3;
/** Of all outboxes together: one is published while another one is read, or taken out. */
const CHUNKS_AT_ONCE = 2;

interface RelayDependencies {
  readonly outboxes: OfOutboxes<OutboxStore>;
  readonly bus: Bus;
  /** Resolves when no request waits for transitions to be stored. */
  readonly makeWay: () => Promise<void>;
  readonly stopping: AbortSignal;
}

/**
 * Publishes the transitions that wait in the outbox, each with the message id `job:<id>:<version>`, and takes them
 * out once the stream has them, while it is at the next ones already: the database and the bus work at once.
 * Several replicas may do so at once: the stream folds what comes twice. One run for each outbox, as each is written
 * to by itself: with new jobs, looking at the others would be half of the work.
 * Each rejects where some could not be published; they stay for the next run, as does what is recorded meanwhile.
 */
export function relay({
  outboxes,
  bus,
  makeWay,
  stopping,
}: RelayDependencies): OfOutboxes<() => Promise<void>> {
  const inTurn = atMost(CHUNKS_AT_ONCE);

  const publish = async ({ jobId, companyId, events }: Outgoing) => {
    for (const { key, version, statusId, at } of events) {
      const event = statusId === status.closed ? jobClosed : jobPublished;
      await bus.publishEvent(event, { jobId, companyId, version, statusId, at: at.toISOString() }, key);
    }
  };

  /** Begins no more where some could not be published: the next ones would wait as long. */
  const publishAll = async (outgoing: readonly Outgoing[]) => {
    const begun: Promise<PromiseSettledResult<void>[]>[] = [];
    for (let at = 0; at < outgoing.length; at += BEGUN_AT_ONCE) {
      begun.push(Promise.allSettled(outgoing.slice(at, at + BEGUN_AT_ONCE).map(publish)));
      const earlier = await begun.at(-GROUPS_UNDER_WAY);
      if (earlier?.some(({ status: outcome }) => outcome === 'rejected')) break;
      await nextTurn();
    }
    const results = (await Promise.all(begun)).flat();
    const published = outgoing.filter((_, index) => results[index]?.status === 'fulfilled');
    return { published, failed: results.find((result) => result.status === 'rejected') };
  };

  const tell = async ({ outgoing, clear }: OutgoingChunk): Promise<void> => {
    await makeWay();
    const { published, failed } = await publishAll(outgoing);
    if (published.length > 0 || !failed) await clear(published);
    if (failed) throw failed.reason;
  };

  const drain = async (outbox: OutboxStore): Promise<void> => {
    const told = overlapped(outbox.waiting(CHUNK), (chunk) => inTurn(() => tell(chunk)));
    for await (const _ of told) if (stopping.aborted) break;
  };

  const { settlements, jobs, tombstones } = outboxes;
  return {
    settlements: () => drain(settlements),
    jobs: () => drain(jobs),
    tombstones: () => drain(tombstones),
  };
}
