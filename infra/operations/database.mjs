// What the scripts of this folder have in common.
//
// MONGODB_URI                                     the replica set, without a database
// MONGODB_ADMIN_USER, MONGODB_ADMIN_PASSWORD_FILE who may read or write every database, where there are users
// MONGODB_TLS_CA_FILE                             authority of the server's certificate
import { mongo } from 'mongoose';
import { adminOptions } from '../mongodb/create-users.mjs';

const CONNECT_LIMIT_MS = 10_000;

/** Lets `work` use the servers of the environment. */
export async function withServers(env, work) {
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

/** Runs a script: what goes wrong is told in a line, and is exit code 1. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
