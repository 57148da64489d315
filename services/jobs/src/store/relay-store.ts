import { databaseOf, isServerError, type Mongo } from '@joblisting/service-kit';
import type { mongo as driver } from 'mongoose';
import type { ChangeDocument } from '../models/change.ts';
import { relayModel } from '../models/relay.ts';

export type RelayStore = ReturnType<typeof relayStore>;
export type ChangeStream = ReturnType<RelayStore['watch']>;

/** A change of a job in the oplog, or in its document. */
export interface JobChange {
  readonly jobId: number;
  readonly change: ChangeDocument;
}

/** From where on the oplog is read: behind a resume token, or from an operation time on. */
export type Position =
  | { readonly resumeAfter: driver.ResumeToken }
  | { readonly startAtOperationTime: driver.Timestamp };

/** What the pipeline below leaves of a change stream's event. */
interface ChangeEvent extends driver.Document {
  readonly _id: driver.ResumeToken;
  readonly documentKey: { readonly _id: number };
  readonly change: ChangeDocument;
  readonly clusterTime: driver.Timestamp;
}

/** A job or a tombstone. */
interface ChangedDocument {
  readonly _id: number;
  readonly change?: ChangeDocument;
}

const ID = 'jobs';
/** Bounds how long a stop waits for the next change, and how long a lease goes without renewal. */
const MAX_AWAIT_MS = 500;
const READ_CHUNK = 500;
/** The stream ended for good: its database was dropped. */
export class StreamInvalidated extends Error {
  override readonly name = 'StreamInvalidated';
}

/** ChangeStreamFatalError, ChangeStreamHistoryLost, CappedPositionLost, InvalidResumeToken. */
const POSITION_LOST = new Set<unknown>([280, 286, 136, 260]);

/** Only the change leaves the database, not documents of megabytes. */
const pipeline = [
  {
    $match: {
      'ns.coll': { $in: ['jobs', 'tombstones'] },
      operationType: { $in: ['insert', 'update'] },
      $or: [
        { 'fullDocument.change': { $exists: true } },
        { 'updateDescription.updatedFields.change': { $exists: true } },
      ],
    },
  },
  {
    $project: {
      documentKey: 1,
      clusterTime: 1,
      change: { $ifNull: ['$updateDescription.updatedFields.change', '$fullDocument.change'] },
    },
  },
];

export type OperationTime = driver.Timestamp;

/** Where a scan of the present changes goes on. */
export interface ScanPosition {
  readonly collection: 'jobs' | 'tombstones';
  readonly after: number;
}

interface ScannedChunk {
  readonly changes: readonly JobChange[];
  /** Undefined behind the last one. */
  readonly next: ScanPosition | undefined;
}

/** The position of the relay, its lease, and the changes themselves. */
export function relayStore(mongo: Mongo) {
  const relay = relayModel(mongo);

  const operationTime = async (): Promise<driver.Timestamp> => {
    const { operationTime: now } = await databaseOf(mongo).command({ ping: 1 });
    return now as driver.Timestamp;
  };

  const updateAsLeader = async (leader: string, update: object): Promise<boolean> =>
    (await relay.updateOne({ _id: ID, leader }, update)).matchedCount === 1;

  return {
    operationTime,

    /** Stores the present operation time if there is no position yet. Must run before the first change is written. */
    prepare: async (): Promise<void> => {
      if (await relay.exists({ _id: ID })) return;
      const $setOnInsert = { startAt: await operationTime() };
      await relay.updateOne({ _id: ID }, { $setOnInsert }, { upsert: true });
    },

    /** Takes the lease, or renews it. Resolves to the position, or to undefined if another replica leads. */
    lead: async (leader: string, leaseMs: number): Promise<Position | undefined> => {
      const now = Date.now();
      const isFree = {
        $or: [
          { leader },
          { leader: { $exists: false } },
          { leaseUntil: { $lte: new Date(now) } },
          // The clock of the machine that wrote it is ahead.
          { leaseUntil: { $gt: new Date(now + 2 * leaseMs) } },
        ],
      };
      const leaseUntil = new Date(now + leaseMs);
      const found = await relay
        .findOneAndUpdate(
          { _id: ID, ...isFree },
          { $set: { leader, leaseUntil } },
          { returnDocument: 'after' },
        )
        .lean();
      if (!found) return undefined;
      return found.token ? { resumeAfter: found.token } : { startAtOperationTime: found.startAt };
    },

    /** Saves the token of the last change published. Resolves to false if this replica no longer leads. */
    save: (leader: string, token: driver.ResumeToken, leaseMs: number): Promise<boolean> =>
      updateAsLeader(leader, { $set: { token, leaseUntil: new Date(Date.now() + leaseMs) } }),

    /** Replaces a lost token by an operation time. */
    restart: (leader: string, startAt: driver.Timestamp): Promise<boolean> =>
      updateAsLeader(leader, { $set: { startAt }, $unset: { token: '' } }),

    /** Lets another replica lead at once. */
    release: (leader: string): Promise<boolean> => updateAsLeader(leader, { $unset: { leader: '' } }),

    /**
     * @param patient a connection with a longer time-out: after a long absence the server reads much of the oplog
     * before the first change
     */
    watch: (
      patient: Mongo,
      position: Position,
    ): driver.ChangeStream<driver.Document, ChangeEvent & driver.ChangeStreamDocument> =>
      databaseOf(patient).watch(pipeline, {
        ...position,
        batchSize: READ_CHUNK,
        maxAwaitTimeMS: MAX_AWAIT_MS,
      }),

    /** The present changes of the next jobs, then of tombstones. Jobs that only 1.0.0 has written have none. */
    scan: async ({ collection, after }: ScanPosition): Promise<ScannedChunk> => {
      const found = await databaseOf(mongo)
        .collection<ChangedDocument>(collection)
        .find({ _id: { $gt: after } })
        .project<ChangedDocument>({ change: 1 })
        .sort({ _id: 1 })
        .limit(READ_CHUNK)
        .toArray();
      const last = found.at(-1);
      const following = collection === 'jobs' ? SCAN_OF_TOMBSTONES : undefined;
      return {
        changes: found.flatMap(({ _id, change }) => (change ? [{ jobId: _id, change }] : [])),
        next: last ? { collection, after: last._id } : following,
      };
    },
  };
}

export const SCAN_START: ScanPosition = { collection: 'jobs', after: 0 };
const SCAN_OF_TOMBSTONES: ScanPosition = { collection: 'tombstones', after: 0 };

/** Whether the oplog no longer reaches back to the position, or the stream behind it has ended. */
export const isPositionLost = (error: unknown): boolean =>
  error instanceof StreamInvalidated || (isServerError(error) && POSITION_LOST.has(error.code));
