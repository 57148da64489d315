import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type mongoose from 'mongoose';
import { Problem } from '../../bootstrap/terminal.mjs';
import { ADMIN, databasePasswordFile, hasDatabasePassword, secretsDir } from './secrets.ts';

type Admin = mongoose.mongo.Db;
type Login = { readonly username: string; readonly password: string };
type Users = ReadonlySet<string>;
type Config = { version: number; term?: number; members: { _id: number; host: string }[] };

/** Errors of a member that still reads its configuration. */
const startupErrors = new Set([
  'AlreadyInitialized',
  'ConfigurationInProgress',
  'InterruptedDueToReplStateChange',
  'NotYetInitialized',
]);
const codeNameOf = (error: unknown): string => (error as { codeName?: string }).codeName ?? '';
const attemptLimitMs = 2000;
const pollMs = 50;
/** Higher than that of any configuration that an earlier start has made. */
const replacingVersion = 1_000_000_000;

/**
 * Waits for the member to start, makes it the primary of a replica set on this port, and creates the users. Data of
 * earlier releases has none.
 */
export async function becomePrimary(uri: string, port: number, dataDir: string): Promise<void> {
  // Loads while mongod starts.
  const loading = import('../../../mongodb/create-users.mjs');
  const adminFile = databasePasswordFile(dataDir, ADMIN);
  const login = { username: ADMIN, password: readFileSync(adminFile, 'utf8') };
  let users: Users | undefined;
  while (!(users = await tryBecomePrimary(uri, `127.0.0.1:${port}`, login))) await delay(pollMs);
  const { createUsers, databases } = await loading;
  const isKnown = (service: string): boolean => users.has(service) && hasDatabasePassword(dataDir, service);
  // Passwords are set only if one is missing, because hashing them costs CPU.
  if (databases.every(isKnown)) return;
  for (const service of databases) databasePasswordFile(dataDir, service);
  await createUsers({
    MONGODB_URI: uri,
    MONGODB_ADMIN_USER: ADMIN,
    MONGODB_ADMIN_PASSWORD_FILE: adminFile,
    MONGODB_PASSWORDS: secretsDir(dataDir),
  });
}

async function connect<T>(
  uri: string,
  auth: Login | undefined,
  work: (admin: Admin) => Promise<T>,
): Promise<T> {
  const { mongo } = (await import('mongoose')).default;
  const client = new mongo.MongoClient(uri, {
    serverSelectionTimeoutMS: attemptLimitMs,
    ...(auth && { auth }),
  });
  try {
    await client.connect();
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
}

/**
 * Initiates the replica set, or moves it to the member's current port, and creates the administrator.
 * @returns the users, once the member is primary and lets the administrator in
 */
async function tryBecomePrimary(uri: string, host: string, login: Login): Promise<Users | undefined> {
  const { mongo } = (await import('mongoose')).default;
  try {
    return await connect(uri, login, (admin) => configure(admin, host)).catch((error: unknown) => {
      if (codeNameOf(error) !== 'AuthenticationFailed') throw error;
      return connect(uri, undefined, (admin) => createAdmin(admin, host, login));
    });
  } catch (error) {
    if (startupErrors.has(codeNameOf(error))) return undefined;
    if (error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoServerSelectionError)
      return undefined;
    if (codeNameOf(error) !== 'Unauthorized') throw error;
    throw new Problem(
      `MongoDB refuses the password of ${ADMIN} in the folder of secrets: restore that file, or set another DATA_DIR.`,
    );
  }
}

/**
 * MongoDB lets anybody on this machine create the first user, and initiate or configure the replica set until then,
 * but not read its configuration.
 * @returns undefined: the administrator has yet to log in
 */
async function createAdmin(admin: Admin, host: string, { username, password }: Login): Promise<undefined> {
  const hello = await admin.command({ hello: 1 });
  if (hello['isWritablePrimary'] === true) {
    await admin.command({ createUser: username, pwd: password, roles: ['root'] });
  } else if (hello['setName'] === undefined) {
    const config = { _id: 'rs0', members: [{ _id: 0, host }] };
    await admin.command({ replSetInitiate: config }).catch((error: unknown) => {
      if (codeNameOf(error) !== 'AlreadyInitialized') throw error;
      return moveTo(admin, { ...config, version: replacingVersion }, host);
    });
  }
  return undefined;
}

async function configure(admin: Admin, host: string): Promise<Users | undefined> {
  const hello = await admin.command({ hello: 1 });
  if (hello['isWritablePrimary'] === true) {
    const { users } = (await admin.command({ usersInfo: 1 })) as unknown as { users: { user: string }[] };
    return new Set(users.map(({ user }) => user));
  }
  if (hello['setName'] !== undefined) return undefined;
  const config = await storedConfig(admin);
  if (config && config.members[0]?.host !== host) await moveTo(admin, config, host);
  return undefined;
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
