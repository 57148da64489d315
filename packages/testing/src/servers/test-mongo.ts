/** A MongoDB replica set of one node. */
export type TestMongo = {
  /** Server URI without a database. */
  readonly uri: string;
  /** Ends the server and removes its data. */
  stop: () => Promise<void>;
};

/** A transaction orphaned by a killed process blocks others for this long, instead of a minute. */
export const serverParameters = ['--setParameter', 'transactionLifetimeLimitSeconds=3'];
