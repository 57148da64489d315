import type { Bus, StreamMessage } from '@joblisting/bus';
import {
  applicationsStream,
  categoriesStream,
  eventsLogged,
  jobsStream,
  type Stream,
} from '@joblisting/contracts';
import { type Clock, type Log, ownCall, type TaskOutcome } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import type { Entry } from '../domain/entry.ts';
import type { LeaseStore } from '../store/lease-store.ts';
import { type LogStore, type Position } from '../store/log-store.ts';
import type { LogMetrics } from './log-metrics.ts';
import { readMessage } from './read-message.ts';

/** What the log is made of. */
export const followedStreams: readonly Stream[] = [jobsStream, applicationsStream, categoriesStream];

/** One transaction has as many messages at most. */
const BATCH = 200;
const LIMIT_MS = 5000;

interface FollowDeps {
  readonly bus: Pick<Bus, 'streamState' | 'readStream' | 'notify'>;
  readonly logs: LogStore;
  readonly lease: LeaseStore;
  readonly jobs: JobsClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: LogMetrics;
  readonly stopping: AbortSignal;
}

/**
 * Adds what the streams have to the log, in the order of each stream. It reads by position rather than by a durable
 * consumer, because replicas that share a consumer get redelivered messages after later ones.
 */
export function followingStreams(deps: FollowDeps): () => Promise<TaskOutcome> {
  const { bus, logs, lease, jobs, clock, log, metrics, stopping } = deps;
  const positions = new Map<string, Position>();

  /** Changes by the clock come without the reference of their job. */
  const withReferences = async (entries: readonly Entry[]): Promise<readonly Entry[]> => {
    const lacking = entries.filter(({ version, referenceId }) => version && referenceId === undefined);
    const ids = new Set(lacking.flatMap(({ jobId }) => jobId ?? []));
    if (ids.size === 0) return entries;
    const found = await jobs.headers({ ids: [...ids] }, ownCall(LIMIT_MS));
    const references = new Map(found.map(({ id, referenceId }) => [id, referenceId]));
    return entries.map((entry) => {
      const referenceId = entry.version && references.get(entry.jobId ?? 0);
      return referenceId ? { referenceId, ...entry } : entry;
    });
  };

  /** A power cut can take acknowledged messages from a stream, and later ones get their numbers. */
  const isReplaced = async (stream: Stream, { seq, messageId }: Position): Promise<boolean> => {
    if (messageId === undefined) return false;
    const [last] = await bus.readStream(stream, seq, seq);
    return last !== undefined && last.messageId !== messageId;
  };

  const entriesOf = async (stream: Stream, messages: readonly StreamMessage[]): Promise<readonly Entry[]> => {
    const [first] = messages;
    if (first) metrics.behindSince(stream.name, first.storedAt);
    const entries = messages.flatMap((message) => {
      const entry = readMessage(message);
      if (entry) return [entry];
      metrics.skipped();
      log.error({ message }, 'a message that this release cannot read is not logged');
      return [];
    });
    return stream === jobsStream ? withReferences(entries) : entries;
  };

  /** Adds the next messages of a stream. Resolves to false once there are no more. */
  const followSome = async (stream: Stream): Promise<boolean> => {
    const { name } = stream;
    const from = positions.get(name) ?? (await logs.positionOf(name));
    const state = await bus.streamState(stream);
    const isAsLong = from.createdAt === state.createdAt && from.seq <= state.last;
    if (isAsLong && from.seq === state.last) return false;
    const isSame = isAsLong && !(await isReplaced(stream, from));
    const next = isSame ? from.seq + 1 : 1;
    const first = Math.max(next, state.first);
    // Also where the stream itself was lost or restored: nobody knows what else it had.
    const isGap = from.createdAt !== '' && (!isSame || first > next);
    const seq = Math.min(first + BATCH - 1, state.last);
    if (isGap) {
      metrics.gap();
      log.error(
        { stream: name, from, state },
        'messages were lost before they were logged; all cursors expire',
      );
    }
    const messages = await bus.readStream(stream, first, seq);
    const messageId = messages.at(-1)?.messageId;
    const to = { createdAt: state.createdAt, seq, ...(messageId && { messageId }) };
    const entries = await entriesOf(stream, messages);
    const deadline = Date.now() + LIMIT_MS;
    const added = await logs.append({ stream: name, from, to, entries, isGap, now: clock.now(), deadline });
    positions.set(name, to);
    metrics.logged(added.length);
    const companyIds = [...new Set(added.map(({ companyId }) => companyId))];
    if (companyIds.length > 0) bus.notify(eventsLogged, { companyIds });
    return seq < state.last;
  };

  const follow = async (stream: Stream): Promise<void> => {
    while (await followSome(stream)) {
      if (stopping.aborted || !(await lease.lead())) return;
    }
    metrics.caughtUp(stream.name);
  };

  return async (): Promise<TaskOutcome> => {
    if (!(await lease.lead())) {
      metrics.follows();
      positions.clear();
      return 'idle';
    }
    metrics.leads();
    const errors: unknown[] = [];
    for (const stream of followedStreams) {
      try {
        await follow(stream);
      } catch (error) {
        // The outcome may be unknown, or another replica may have written.
        positions.delete(stream.name);
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return undefined;
  };
}
