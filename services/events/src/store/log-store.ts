import { inSnapshot, inTransaction, type Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import type { Entry, NumberedEntry } from '../domain/entry.ts';
import type { typeFilter } from '../domain/webhook.ts';
import { type EventDocument, eventModel } from '../models/event.ts';
import { logModel } from '../models/log.ts';
import { positionModel } from '../models/position.ts';

export type LogStore = ReturnType<typeof logStore>;

/** Up to which message of a stream the log has it. */
export interface Position {
  readonly createdAt: string;
  readonly seq: number;
  readonly messageId?: string;
}

/** Where the log of a company begins and ends: it has the events after `removed`, up to `seq`. */
export interface LogState {
  readonly removed: number;
  readonly seq: number;
}

export interface LogPage extends LogState {
  readonly events: readonly NumberedEntry[];
  readonly hasMore: boolean;
}

interface Addition {
  readonly stream: string;
  readonly from: Position;
  readonly to: Position;
  readonly entries: readonly Entry[];
  /** Messages before them were lost. */
  readonly isGap: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly deadline: number;
}

interface Range {
  readonly after: number;
  readonly to: number;
  readonly filter: ReturnType<typeof typeFilter>;
}

/** Another replica has moved the position since it was read. */
export class PositionMoved extends Error {
  override readonly name = 'PositionMoved';
}

const REMOVED_AT_ONCE = 1000;
export const EMPTY: LogState = { removed: 0, seq: 0 };

/**
 * The logs of all companies, and how much of the streams they have. Both change in one transaction, so a message is
 * logged once, in the order of its stream, whichever replicas write and whenever they are killed.
 */
export function logStore(mongo: Mongo) {
  const events = eventModel(mongo);
  const logs = logModel(mongo);
  const positions = positionModel(mongo);

  /** Leaves out what the log has already: a relay can publish a change again after days. */
  const newOf = async (entries: readonly Entry[], session: ClientSession): Promise<readonly Entry[]> => {
    const ids = entries.map(({ id }) => id);
    const jobIds = entries.flatMap(({ jobId, version }) => (jobId !== undefined && version ? [jobId] : []));
    const known = await events.find({ _id: { $in: ids } }, { _id: 1 }, { session }).lean();
    const latest = await events.aggregate<{ _id: number; version: number }>(
      [
        { $match: { jobId: { $in: jobIds }, version: { $exists: true } } },
        { $sort: { jobId: 1, version: -1 } },
        { $group: { _id: '$jobId', version: { $first: '$version' } } },
      ],
      { session },
    );
    const seen = new Set(known.map(({ _id }) => _id));
    const versions = new Map(latest.map(({ _id, version }) => [_id, version]));
    return entries.filter(({ id, jobId, version }) => {
      if (seen.has(id)) return false;
      seen.add(id);
      if (jobId === undefined || version === undefined) return true;
      // A relay that lost its position may tell the latest version first. Versions never go back in the log.
      const isLater = version > (versions.get(jobId) ?? 0);
      if (isLater) versions.set(jobId, version);
      return isLater;
    });
  };

  const insert = async (entries: readonly Entry[], now: number, session: ClientSession): Promise<void> => {
    const byCompany = Map.groupBy(entries, ({ companyId }) => companyId);
    const companyIds = [...byCompany.keys()];
    const found = await logs.find({ _id: { $in: companyIds } }, null, { session }).lean();
    const seqs = new Map(found.map(({ _id, seq }) => [_id, seq]));
    const loggedAt = new Date(now);
    const documents = entries.map(({ id, ...entry }): EventDocument => {
      const seq = (seqs.get(entry.companyId) ?? 0) + 1;
      seqs.set(entry.companyId, seq);
      return Object.assign(entry, { _id: id, seq, loggedAt });
    });
    await logs.bulkWrite(
      companyIds.map((_id) => ({
        updateOne: {
          filter: { _id },
          update: { $set: { seq: seqs.get(_id) ?? 0 }, $setOnInsert: { removed: 0 } },
          upsert: true,
        },
      })),
      { session },
    );
    await events.insertMany(documents, { session, lean: true });
  };

  /** Uses up a number of each log and removes all before it: every cursor expires. */
  const expireAll = async (session: ClientSession): Promise<void> => {
    const next = { $add: ['$seq', 1] };
    await logs.updateMany({}, [{ $set: { seq: next, removed: next } }], {
      session,
      updatePipeline: true,
    });
  };

  return {
    prepare: async (streams: readonly string[]): Promise<void> => {
      for (const _id of streams) {
        await positions.updateOne({ _id }, { $setOnInsert: { createdAt: '', seq: 0 } }, { upsert: true });
      }
    },

    positionOf: async (stream: string): Promise<Position> => {
      const found = await positions.findOne({ _id: stream }).lean();
      const { messageId } = found ?? {};
      return { createdAt: found?.createdAt ?? '', seq: found?.seq ?? 0, ...(messageId && { messageId }) };
    },

    /**
     * Adds entries to the logs of their companies, and moves the position of their stream. Resolves to the entries that
     * were not there before. Rejects with PositionMoved.
     */
    append: ({ stream, from, to, entries, isGap, now, deadline }: Addition): Promise<readonly Entry[]> =>
      inTransaction(mongo, deadline, async (session) => {
        const moved = await positions.replaceOne({ _id: stream, ...from }, to, { session });
        if (moved.matchedCount === 0) throw new PositionMoved();
        if (isGap) await expireAll(session);
        const added = entries.length === 0 ? entries : await newOf(entries, session);
        if (added.length > 0) await insert(added, now, session);
        return added;
      }),

    /** Adds events of this service itself, in the transaction of their cause. */
    insertOwn: insert,

    /** How many events of the company are after a number up to another one, counted up to a limit. */
    count: (companyId: number, range: Range, limit: number): Promise<number> =>
      events.countDocuments(
        { companyId, seq: { $gt: range.after, $lte: range.to }, ...range.filter },
        { limit },
      ),

    /** The number of the last event that was logged before a time (epoch ms); undefined if none is kept. */
    lastBefore: async (companyId: number, time: number): Promise<number | undefined> => {
      const isBefore = { companyId, loggedAt: { $lt: new Date(time) } };
      return (await events.findOne(isBefore, { seq: 1 }).sort({ loggedAt: -1, seq: -1 }).lean())?.seq;
    },

    stateOf: async (companyId: number): Promise<LogState> =>
      (await logs.findOne({ _id: companyId }).lean()) ?? EMPTY,

    /** The events after a number, and the state of the log at the same moment. Without a number, from the oldest one on. */
    page: (companyId: number, after: number | undefined, limit: number): Promise<LogPage> =>
      inSnapshot(mongo, async (snapshot) => {
        const { removed, seq } = (await logs.findOne({ _id: companyId }, null, snapshot).lean()) ?? EMPTY;
        const found = await events
          .find(
            { companyId, seq: { $gt: Math.max(after ?? 0, removed) } },
            { loggedAt: 0 },
            {
              ...snapshot,
              sort: { seq: 1 },
              limit: limit + 1,
              batchSize: limit + 2,
            },
          )
          .lean<Omit<EventDocument, 'loggedAt'>[]>();
        return { removed, seq, events: found.slice(0, limit).map(toEntry), hasMore: found.length > limit };
      }),

    /**
     * Removes some events that were logged before a time (epoch ms), of one company. Resolves to false if there are none.
     * Notes what is removed first, so that a crash in between leaves nothing that is read.
     */
    removeBefore: async (time: number): Promise<boolean> => {
      const isOld = { loggedAt: { $lt: new Date(time) } };
      const oldest = await events.findOne(isOld, { companyId: 1 }).sort({ loggedAt: 1 }).lean();
      if (!oldest) return false;
      const { companyId } = oldest;
      const chunk = await events
        .find({ companyId }, { seq: 1, loggedAt: 1 })
        .sort({ seq: 1 })
        .limit(REMOVED_AT_ONCE)
        .lean();
      const firstKept = chunk.findIndex(({ loggedAt }) => loggedAt.getTime() >= time);
      const upTo = (firstKept < 0 ? chunk : chunk.slice(0, firstKept)).at(-1)?.seq;
      // The clock of a replica was behind: what was logged after an event is not removed before it.
      if (upTo === undefined) return false;
      await logs.updateOne({ _id: companyId }, { $max: { removed: upTo } });
      await events.deleteMany({ companyId, seq: { $lte: upTo } });
      return true;
    },
  };
}

export const toEntry = ({ _id: id, ...entry }: Omit<EventDocument, 'loggedAt'>): NumberedEntry => ({
  id,
  ...entry,
});
