import type { mongo as driver } from 'mongoose';
import { isServerError } from '../database-errors.ts';
import { databaseOf } from '../models.ts';
import type { Mongo } from '../mongo.ts';
import { isFreeFor } from './lease.ts';
import { relayModel } from './relay-model.ts';

export type RelayStore<C> = ReturnType<typeof relayStore<C>>;
export type ChangeStream<C> = ReturnType<RelayStore<C>['watch']>;

/** A change in the oplog, or in its document. */
export interface DocumentChange<C> {
  readonly documentId: number;
  readonly change: C;
}

export interface RelayStoreOptions<C, D> {
  /** The `_id` of its document in the collection `relay`. */
  readonly name: string;
  /** The collections whose changes it publishes. A scan reads them in this order. */
  readonly collections: readonly [string, ...string[]];
  /** What a scan reads of a document. By default its `change`. */
  readonly projection?: Readonly<Record<string, 1>>;
  /** What a scan publishes of a document. By default its `change`, if it has one. */
  readonly presentChanges?: (document: D) => readonly C[];
}

/** Where reading the oplog starts: after a resume token, or at an operation time. */
export type Position =
  | { readonly resumeAfter: driver.ResumeToken }
  | { readonly startAtOperationTime: driver.Timestamp };

/** What the pipeline below leaves of a change stream's event. */
interface ChangeEvent<C> extends driver.Document {
  readonly _id: driver.ResumeToken;
  readonly documentKey: { readonly _id: number };
  readonly change: C;
  readonly clusterTime: driver.Timestamp;
}

interface ChangedDocument<C> {
  readonly _id: number;
  readonly change?: C;
}

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
const pipelineOf = (collections: readonly string[]) => [
  {
    $match: {
      'ns.coll': { $in: collections },
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

/** Where a scan of the present changes continues. */
export interface ScanPosition {
  readonly collection: string;
  readonly after: number;
}

interface ScannedChunk<C> {
  readonly changes: readonly DocumentChange<C>[];
  /** Undefined after the last one. */
  readonly next: ScanPosition | undefined;
}

const scanStartOf = (collection: string): ScanPosition => ({ collection, after: 0 });

/**
 * The position of a relay, its lease, and the changes themselves. A write stores its change in the field `change` of
 * its document, always as a whole.
 */
export function relayStore<C, D = ChangedDocument<C>>(
  mongo: Mongo,
  { name, collections, projection = { change: 1 }, presentChanges }: RelayStoreOptions<C, D>,
) {
  const relay = relayModel(mongo);
  const pipeline = pipelineOf(collections);

  const changesOf = (document: ChangedDocument<C> & D): readonly C[] => {
    if (presentChanges) return presentChanges(document);
    return document.change ? [document.change] : [];
  };

  const operationTime = async (): Promise<driver.Timestamp> => {
    const { operationTime: now } = await databaseOf(mongo).command({ ping: 1 });
    return now as driver.Timestamp;
  };

  const updateAsLeader = async (leader: string, update: object): Promise<boolean> =>
    (await relay.updateOne({ _id: name, leader }, update)).matchedCount === 1;

  return {
    operationTime,

    /** Stores the present operation time if there is no position yet. Must run before the first change is written. */
    prepare: async (): Promise<void> => {
      if (await relay.exists({ _id: name })) return;
      const $setOnInsert = { startAt: await operationTime() };
      await relay.updateOne({ _id: name }, { $setOnInsert }, { upsert: true });
    },

    /** Takes the lease, or renews it. Resolves to the position, or to undefined if another replica leads. */
    lead: async (leader: string, leaseMs: number): Promise<Position | undefined> => {
      const found = await relay
        .findOneAndUpdate(
          { _id: name, ...isFreeFor(leader, leaseMs) },
          { $set: { leader, leaseUntil: new Date(Date.now() + leaseMs) } },
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
    ): driver.ChangeStream<driver.Document, ChangeEvent<C> & driver.ChangeStreamDocument> =>
      databaseOf(patient).watch(pipeline, {
        ...position,
        batchSize: READ_CHUNK,
        maxAwaitTimeMS: MAX_AWAIT_MS,
      }),

    scanStart: scanStartOf(collections[0]),

    /** The present changes of the next documents of a collection, then of the next collection. */
    scan: async ({ collection, after }: ScanPosition): Promise<ScannedChunk<C>> => {
      const found = await databaseOf(mongo)
        .collection<{ _id: number }>(collection)
        .find({ _id: { $gt: after } })
        .project<ChangedDocument<C> & D>(projection)
        .sort({ _id: 1 })
        .limit(READ_CHUNK)
        .toArray();
      const last = found.at(-1);
      if (last) {
        const changes = found.flatMap((document) =>
          changesOf(document).map((change) => ({ documentId: document._id, change })),
        );
        return { changes, next: { collection, after: last._id } };
      }
      const following = collections[collections.indexOf(collection) + 1];
      return { changes: [], next: following === undefined ? undefined : scanStartOf(following) };
    },
  };
}

/** Whether the oplog no longer reaches back to the position, or the stream has ended. */
export const isPositionLost = (error: unknown): boolean =>
  error instanceof StreamInvalidated || (isServerError(error) && POSITION_LOST.has(error.code));
