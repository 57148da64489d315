import { join } from 'node:path';

/** Settings of a user of the local bus. Empty values unset settings that would conflict. */
export type BusCredentials = Readonly<Record<string, string>>;

export const secretsDir = (dataDir: string): string => join(dataDir, 'secrets');

export const passwordFile = (dataDir: string, user: string): string =>
  join(secretsDir(dataDir), `nats-${user}`);

export const credentialsOf = (dataDir: string, user: string): BusCredentials => ({
  NATS_USER: user,
  NATS_PASSWORD: '',
  NATS_PASSWORD_FILE: passwordFile(dataDir, user),
  NATS_NKEY_SEED_FILE: '',
  NATS_TLS_CA_FILE: '',
  NATS_TLS_CERT_FILE: '',
  NATS_TLS_KEY_FILE: '',
});
