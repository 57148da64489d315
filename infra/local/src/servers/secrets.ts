import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from '../data-files.ts';

/** Settings with which a service logs in. Empty values unset settings that would conflict. */
export type Credentials = Readonly<Record<string, string>>;

const PASSWORD_BYTES = 24;
/** mongod takes at most 1024 characters. */
const KEY_BYTES = 384;

export const secretsDir = (dataDir: string): string => join(dataDir, 'secrets');

/** The file with this secret, which is generated at first use and stored with the data. */
function secretFile(dataDir: string, name: string, bytes = PASSWORD_BYTES): string {
  const file = join(secretsDir(dataDir), name);
  if (!existsSync(file)) {
    mkdirSync(secretsDir(dataDir), { recursive: true, mode: 0o700 });
    // Atomic: a crash must not leave an empty password.
    writePrivate(file, randomBytes(bytes).toString('hex'));
  }
  return file;
}

/** The consumer key of the job-search site. */
export const siteKeyFile = (dataDir: string): string => join(secretsDir(dataDir), 'site-consumer-key');

export const busPasswordFile = (dataDir: string, user: string): string => secretFile(dataDir, `nats-${user}`);

export const busCredentials = (dataDir: string, user: string): Credentials => ({
  NATS_USER: user,
  NATS_PASSWORD: '',
  NATS_PASSWORD_FILE: busPasswordFile(dataDir, user),
  NATS_NKEY_SEED_FILE: '',
  NATS_TLS_CA_FILE: '',
  NATS_TLS_CERT_FILE: '',
  NATS_TLS_KEY_FILE: '',
});

/** With a key file mongod lets only known users in. */
export const databaseKeyFile = (dataDir: string): string => secretFile(dataDir, 'mongodb-keyfile', KEY_BYTES);

/** The user of MongoDB that creates those of the services. */
export const ADMIN = 'admin';

/** Named as `infra/mongodb/create-users.mjs` reads it. */
export const databasePasswordFile = (dataDir: string, user: string): string =>
  secretFile(dataDir, `mongodb-password-${user}`);

export const hasDatabasePassword = (dataDir: string, user: string): boolean =>
  existsSync(join(secretsDir(dataDir), `mongodb-password-${user}`));

export const databaseCredentials = (dataDir: string, user: string): Credentials => ({
  MONGODB_USER: user,
  MONGODB_PASSWORD_FILE: databasePasswordFile(dataDir, user),
  MONGODB_TLS_CA_FILE: '',
});
