import { setTimeout as delay } from 'node:timers/promises';
import type mongoose from 'mongoose';

type Admin = mongoose.mongo.Db;
type Config = { version: number; term?: number; members: { _id: number; host: string }[] };

/** Errors of a member that still reads its configuration. */
const startupErrors = new Set(['AlreadyInitialized', 'NotYetInitialized', 'InterruptedDueToReplStateChange']);
const attemptLimitMs = 2000;
const pollMs = 50;

/** Waits for the member to start, and resolves when it is the primary of a replica set on this port. */
export async function becomePrimary(uri: string, port: number): Promise<void> {
  while (!(await tryBecomePrimary(uri, port))) await delay(pollMs);
}

/**
 * Initiates the replica set, or moves it to the member's current port.
 * @returns whether the member is primary now
 */
async function tryBecomePrimary(uri: string, port: number): Promise<boolean> {
  const { mongo } = (await import('mongoose')).default;
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: attemptLimitMs });
  try {
    await client.connect();
    return await configure(client.db('admin'), `127.0.0.1:${port}`);
  } catch (error) {
    if (error instanceof mongo.MongoServerError && startupErrors.has(error.codeName ?? '')) return false;
    if (error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoServerSelectionError)
      return false;
    throw error;
  } finally {
    await client.close();
  }
}

async function configure(admin: Admin, host: string): Promise<boolean> {
  const hello = await admin.command({ hello: 1 });
  if (hello['isWritablePrimary'] === true) return true;
  if (hello['setName'] !== undefined) return false;
  const config = await storedConfig(admin);
  if (config === null) {
    await admin.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host }] } });
  } else if (config.members[0]?.host !== host) {
    await moveTo(admin, config, host);
  }
  return false;
}

async function storedConfig(admin: Admin): Promise<Config | null> {
  const sets = admin.client.db('local').collection<Config>('system.replset');
  return sets.findOne({}, { readPreference: 'nearest' });
}

/** A set whose only member has another port has no primary, so only a forced change without a term works. */
async function moveTo(admin: Admin, config: Config, host: string): Promise<void> {
  const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] };
  delete moved.term;
  await admin.command({ replSetReconfig: moved, force: true });
}

/** Why an external server cannot be used, or undefined: it must be a replica set or a sharded cluster. */
export async function whyUnusable(uri: string): Promise<string | undefined> {
  const { mongo } = (await import('mongoose')).default;
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 5000 });
  try {
    await client.connect();
    const hello = await client.db('admin').command({ hello: 1 });
    if (hello['setName'] !== undefined || hello['msg'] === 'isdbgrid') return undefined;
    return 'it is a single server: transactions need a replica set';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.close();
  }
}
