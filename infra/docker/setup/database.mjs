// Initiates a replica set of one member and creates its administrator and the services' users. Safe to run again.
// Runs in the network of the database's container, because only localhost may create the first user.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { createUsers } from '../../mongodb/create-users.mjs';

const member = process.env.MONGODB_MEMBER;
const username = process.env.MONGODB_ADMIN_USER;
const password = readFileSync(process.env.MONGODB_ADMIN_PASSWORD_FILE, 'utf8').trimEnd();
const address = 'mongodb://127.0.0.1:27017/?directConnection=true';

const limitMs = 60_000;
const pollMs = 200;
const alreadyInitialized = 23;
const unauthorized = 13;

async function withAdmin(options, work) {
  const client = new mongo.MongoClient(address, { serverSelectionTimeoutMS: limitMs, ...options });
  try {
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
}

async function initiate(admin) {
  const config = { _id: 'rs0', members: [{ _id: 0, host: member }] };
  await admin.command({ replSetInitiate: config }).catch((error) => {
    if (error.code !== alreadyInitialized) throw error;
  });
  const giveUpAt = Date.now() + limitMs;
  while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
    if (Date.now() > giveUpAt) throw new Error('the replica set has no primary');
    await delay(pollMs);
  }
}

async function adminExists() {
  try {
    await withAdmin({ auth: { username, password } }, (admin) => admin.command({ ping: 1 }));
    return true;
  } catch (error) {
    if (error.codeName === 'AuthenticationFailed') return false;
    throw error;
  }
}

/** Works only while there is no user. */
async function createAdmin(admin) {
  try {
    await initiate(admin);
    await admin.command({ createUser: username, pwd: password, roles: ['root'] });
  } catch (error) {
    if (error.code !== unauthorized) throw error;
    throw new Error(
      `the password of ${username} in the vault differs from the one in the database. Restore ` +
        'mongodb-password-admin in the vault; infra/docker/README.md says how to change it',
      { cause: error },
    );
  }
}

try {
  if (!(await adminExists())) await withAdmin({}, createAdmin);
  await withAdmin({ auth: { username, password } }, initiate);
  await createUsers({ ...process.env, MONGODB_URI: address });
} catch (error) {
  process.stderr.write(`The setup of the database failed: ${error.message}\n`);
  process.exitCode = 1;
}
