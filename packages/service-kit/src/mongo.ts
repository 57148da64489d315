import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { type Connection, createConnection } from 'mongoose';
import { DatabaseRefused } from './database-errors.ts';

export type Mongo = Connection;

/** How a service authenticates to the database, and how the connection is protected. */
export interface MongoAccess {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** PEM file with the authority that must have signed the server's certificate; turns TLS on. */
  readonly tlsCaFile?: string | undefined;
  /** How long a reply may take, in milliseconds. */
  readonly socketTimeoutMs?: number;
}

const AUTHENTICATION_FAILED = 18;

/**
 * Connects to the replica set. The time-outs bound a frozen server to about 2.5 s: the driver ignores `timeoutMS`.
 * Writes are acknowledged by the majority and journaled; reads see what the majority has. Rejects with DatabaseRefused
 * if the database does not know this user and password.
 */
export async function connectMongo(
  uri: string,
  database: string,
  { user, password, tlsCaFile, socketTimeoutMs = 2000 }: MongoAccess = {},
): Promise<Mongo> {
  const stopWaking = wakeWritersOfClosedSockets();
  const connection = createConnection(uri, {
    dbName: database,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    appName: database,
    writeConcern: { w: 'majority', j: true },
    // Recent writes can roll back on failover, so read what the majority has. It includes each acknowledged write.
    readConcern: { level: 'majority' },
    // The driver's retry fails with the second error, which hides that the first attempt may have landed.
    retryWrites: false,
    maxPoolSize: 50,
    // Only this service writes what it reads, as valid UTF-8. Checking it costs a third of decoding a job.
    enableUtf8Validation: false,
    connectTimeoutMS: 1500,
    socketTimeoutMS: socketTimeoutMs,
    serverSelectionTimeoutMS: 1500,
    heartbeatFrequencyMS: 1500,
    waitQueueTimeoutMS: 1500,
    ...(user !== undefined && { auth: { username: user, password: password ?? '' }, authSource: 'admin' }),
    ...(tlsCaFile !== undefined && { tls: true, tlsCAFile: tlsCaFile }),
  });
  connection.once('close', stopWaking);
  try {
    return await connection.asPromise();
  } catch (error) {
    stopWaking();
    await connection.destroy().catch(() => undefined);
    const { code } = error as { code?: unknown };
    if (code !== AUTHENTICATION_FAILED) throw error;
    const why = 'wrong password, or no such user';
    throw new DatabaseRefused(`The database does not let in user ${user}: ${why}.`, { cause: error });
  }
}

/**
 * Fails a command if its socket closes after it took only a part of it: the driver (7.8) waits for `drain` alone, so a
 * frozen server would keep the command and its connection for ever. No driver option bounds that. Not seen for TLS.
 */
function wakeWritersOfClosedSockets(): () => void {
  const channel = 'net.client.socket';
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    socket.once('close', () => void socket.emit('drain'));
  };
  subscribe(channel, onSocket);
  return () => void unsubscribe(channel, onSocket);
}
