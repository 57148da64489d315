import { join } from 'node:path';

/** Who somebody is on the bus that is started here, as settings. Those that would contradict are empty: unset. */
export type BusCredentials = Readonly<Record<string, string>>;

/** Where the passwords of the bus' users are. */
export const secretsIn = (dataDir: string): string => join(dataDir, 'secrets');

/** File with the password of a user of the bus. */
export const passwordFile = (dataDir: string, user: string): string =>
  join(secretsIn(dataDir), `nats-${user}`);

export const credentialsOf = (dataDir: string, user: string): BusCredentials => ({
  NATS_USER: user,
  NATS_PASSWORD: '',
  NATS_PASSWORD_FILE: passwordFile(dataDir, user),
  NATS_NKEY_SEED_FILE: '',
  NATS_TLS_CA_FILE: '',
  NATS_TLS_CERT_FILE: '',
  NATS_TLS_KEY_FILE: '',
});
