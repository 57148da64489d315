// Creates the MongoDB user of each service with readWrite on its own database only. Safe to run again: it updates
// passwords and roles.
//
// MONGODB_URI, MONGODB_ADMIN_USER, MONGODB_ADMIN_PASSWORD_FILE   server and administrator
// MONGODB_TLS_CA_FILE                                            authority of the server's certificate
// MONGODB_PASSWORDS                                              folder with files `mongodb-password-<service>`;
//                                                                /run/secrets by default
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { servicesWithDatabase as databases } from '@joblisting/contracts/permissions';
import { mongo } from 'mongoose';

/** Each service's database has its name. */
export { databases };

const CONNECT_LIMIT_MS = 30_000;
const USER_NOT_FOUND = 11;

const secretIn = (file) => readFileSync(file, 'utf8').trimEnd();

async function setUser(admin, user, password) {
  const credentials = { pwd: password, roles: [{ role: 'readWrite', db: user }] };
  try {
    await admin.command({ updateUser: user, ...credentials });
  } catch (error) {
    if (error.code !== USER_NOT_FOUND) throw error;
    await admin.command({ createUser: user, ...credentials });
  }
}

/** Reads all passwords before any user changes. */
function passwordsFrom(folder) {
  return databases.map((service) => {
    const password = secretIn(join(folder, `mongodb-password-${service}`));
    if (password === '') throw new Error(`mongodb-password-${service} is empty`);
    return [service, password];
  });
}

/** Connection options of the administrator, from the settings above. */
export const adminOptions = (env) => ({
  ...(env.MONGODB_ADMIN_USER && {
    auth: { username: env.MONGODB_ADMIN_USER, password: secretIn(env.MONGODB_ADMIN_PASSWORD_FILE) },
  }),
  ...(env.MONGODB_TLS_CA_FILE && { tls: true, tlsCAFile: env.MONGODB_TLS_CA_FILE }),
});

export async function createUsers(env) {
  const passwords = passwordsFrom(env.MONGODB_PASSWORDS || '/run/secrets');
  const client = new mongo.MongoClient(env.MONGODB_URI, {
    appName: 'create-users',
    serverSelectionTimeoutMS: CONNECT_LIMIT_MS,
    ...adminOptions(env),
  });
  try {
    const admin = client.db('admin');
    for (const [service, password] of passwords) await setUser(admin, service, password);
  } finally {
    await client.close();
  }
}

if (import.meta.main) {
  try {
    if (!process.env.MONGODB_URI) throw new Error('MONGODB_URI is required');
    await createUsers(process.env);
    process.stdout.write(`Created or updated the users of: ${databases.join(', ')}.\n`);
  } catch (error) {
    process.stderr.write(`Creating the users failed: ${error.message}\n`);
    process.exitCode = 1;
  }
}
