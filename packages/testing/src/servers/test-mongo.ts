/** A MongoDB replica set of one node. */
export type TestMongo = {
  /** Server URI without a database. */
  readonly uri: string;
  /** Ends the server and removes its data. */
  stop: () => Promise<void>;
};

/**
 * A transaction orphaned by a killed process blocks others for three seconds, instead of a minute. What was removed from
 * an index is kept for snapshots for ten, instead of five minutes, in which readers skip it.
 */
export const serverParameters = [
  '--setParameter',
  'transactionLifetimeLimitSeconds=3',
  '--setParameter',
  'minSnapshotHistoryWindowInSeconds=10',
];
