import { setTimeout as delay } from 'node:timers/promises';
import type mongoose from 'mongoose';

type Admin = mongoose.mongo.Db;
type Config = { version: number; term?: number; members: { _id: number; host: string }[] };

/** What a node answers while it still reads its own configuration. */
const passing = new Set(['AlreadyInitialized', 'NotYetInitialized', 'InterruptedDueToReplStateChange']);
/** How long one look may take, in milliseconds. */
const lookLimitMs = 2000;
/** Between two looks at a server that is not ready yet. */
const lookMs = 50;

/** Resolves when the node, which may not be there yet, is the primary of a replica set on this port. */
export async function becomePrimary(uri: string, port: number): Promise<void> {
  while (!(await makePrimary(uri, port))) await delay(lookMs);
}

/**
 * Looks at a node, and makes a replica set of it where it is none, or moves its set to the port that it has now.
 * @returns whether it takes writes now; false too when it does not answer yet
 */
async function makePrimary(uri: string, port: number): Promise<boolean> {
  const { mongo } = (await import('mongoose')).default;
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: lookLimitMs });
  try {
    await client.connect();
    return await look(client.db('admin'), `127.0.0.1:${port}`);
  } catch (error) {
    if (error instanceof mongo.MongoServerError && passing.has(error.codeName ?? '')) return false;
    if (error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoServerSelectionError)
      return false;
    throw error;
  } finally {
    await client.close();
  }
}

async function look(admin: Admin, host: string): Promise<boolean> {
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

/** A set whose only member is somewhere else never becomes primary; only force, without a term, moves it. */
async function moveTo(admin: Admin, config: Config, host: string): Promise<void> {
  const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] };
  delete moved.term;
  await admin.command({ replSetReconfig: moved, force: true });
}

/**
 * Whether a server that runs elsewhere can be used: it answers, and it is a replica set or a sharded cluster.
 * @returns what is wrong, or undefined
 */
export async function unusable(uri: string): Promise<string | undefined> {
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
