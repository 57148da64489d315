import { type Connection, createConnection } from 'mongoose';

export type Mongo = Connection;

/**
 * Connects to the replica set. The time-outs bound a frozen server to about 2.5 s: the driver's own `timeoutMS`
 * does nothing. Writes are acknowledged by the majority and journaled; reads see what the majority has.
 */
export async function connectMongo(uri: string, database: string): Promise<Mongo> {
  const connection = createConnection(uri, {
    dbName: database,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    appName: database,
    writeConcern: { w: 'majority', j: true },
    // What a crash can still take back must neither be shown nor taken for done. Acknowledged writes are seen at once.
    readConcern: { level: 'majority' },
    // The driver's retry fails with the error of the second attempt, which hides that the first may have landed.
    retryWrites: false,
    maxPoolSize: 50,
    connectTimeoutMS: 1500,
    socketTimeoutMS: 2000,
    serverSelectionTimeoutMS: 1500,
    heartbeatFrequencyMS: 1500,
    waitQueueTimeoutMS: 1500,
  });
  try {
    return await connection.asPromise();
  } catch (error) {
    await connection.destroy().catch(() => undefined);
    throw error;
  }
}
