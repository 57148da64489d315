// Settings of the scripts in this folder:
//
// MONGODB_URI                                     the replica set, without a database
// MONGODB_ADMIN_USER, MONGODB_ADMIN_PASSWORD_FILE administrator, if the server has users
// MONGODB_TLS_CA_FILE                             authority of the server's certificate
import { mongo } from 'mongoose';
import { adminOptions } from '../mongodb/create-users.mjs';

const CONNECT_LIMIT_MS = 10_000;

/** Runs `work` with a client of the MongoDB in the environment. */
export async function withClient(env, work) {
  if (!env.MONGODB_URI) throw new Error('MONGODB_URI is required');
  const client = new mongo.MongoClient(env.MONGODB_URI, {
    appName: 'operations',
    serverSelectionTimeoutMS: CONNECT_LIMIT_MS,
    writeConcern: { w: 'majority', j: true },
    ...adminOptions(env),
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Runs a script. Prints an error in one line and exits with 1. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
