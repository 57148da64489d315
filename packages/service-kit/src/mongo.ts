import type { Connection, mongo } from 'mongoose';
import { wakeWritersOfClosedSockets } from './closed-sockets.ts';
import { loadMongoose } from './driver.ts';

export type Mongo = Connection;

/** Who a service is to the database, and how the connection is protected. */
export interface MongoAccess {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** PEM file with the authority that the server's certificate must be of: only TLS is spoken then. */
  readonly tlsCaFile?: string | undefined;
  /** Emits an event for each command, for traces. */
  readonly monitorCommands?: boolean;
}

/** The database is there and does not let this user in. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

const AUTHENTICATION_FAILED = 18;

/**
 * Connects to the replica set. The time-outs bound a frozen server to about 2.5 s: the driver's own `timeoutMS`
 * does nothing. Writes are acknowledged by the majority and journaled; reads see what the majority has.
 * Rejects with DatabaseRefused where the database is there and does not know this user and password.
 */
export async function connectMongo(
  uri: string,
  database: string,
  { user, password, tlsCaFile, monitorCommands = false }: MongoAccess = {},
): Promise<Mongo> {
  const { createConnection } = await loadMongoose();
  const stopWaking = wakeWritersOfClosedSockets();
  const connection = createConnection(uri, {
    dbName: database,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    monitorCommands,
    appName: database,
    writeConcern: { w: 'majority', j: true },
    // What a crash can still take back must neither be shown nor taken for done. Acknowledged writes are seen at once.
    readConcern: { level: 'majority' },
    // The driver's retry fails with the error of the second attempt, which hides that the first may have landed.
    retryWrites: false,
    maxPoolSize: 50,
    // Only this service writes what it reads, and the driver writes valid UTF-8. Checking costs a third of a decoded job.
    enableUtf8Validation: false,
    connectTimeoutMS: 1500,
    socketTimeoutMS: 2000,
    serverSelectionTimeoutMS: 1500,
    heartbeatFrequencyMS: 1500,
    waitQueueTimeoutMS: 1500,
    // The name of the user is that of the service, so all of them are in one place.
    ...(user !== undefined && { auth: { username: user, password: password ?? '' }, authSource: 'admin' }),
    ...(tlsCaFile !== undefined && { tls: true, tlsCAFile: tlsCaFile }),
  });
  connection.once('close', stopWaking);
  try {
    await connection.asPromise();
    return connection;
  } catch (error) {
    stopWaking();
    await connection.destroy().catch(() => undefined);
    const { code } = error as { code?: unknown };
    if (code !== AUTHENTICATION_FAILED) throw error;
    const why = 'wrong password, or no such user';
    throw new DatabaseRefused(`The database does not let in user ${user}: ${why}.`, { cause: error });
  }
}

/** The driver's own database, for plain commands. */
export function databaseOf({ db }: Mongo): mongo.Db {
  if (!db) throw new Error('The connection has no database yet.');
  return db;
}
