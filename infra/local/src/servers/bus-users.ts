import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectBus } from '@joblisting/bus';
import { type PartyName, streams, usersConf } from '@joblisting/contracts/permissions';

/** Who somebody is on the bus that is started here, as settings. Those that would contradict are empty: unset. */
export type BusCredentials = Readonly<Record<string, string>>;

export type BusUsers = {
  /** The part of the server's configuration that lets them in, with their passwords. */
  readonly configuration: string;
  readonly credentialsOf: (user: string) => BusCredentials;
  /** File with the password of a user. */
  readonly passwordFileOf: (user: PartyName) => string;
};

/** The users of the bus, with passwords that are made at the first start and kept with the data. */
export function busUsers(dataDir: string): BusUsers {
  const directory = join(dataDir, 'secrets');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const fileOf = (user: string): string => join(directory, `nats-${user}`);
  const passwordOf = (user: string): string => {
    const file = fileOf(user);
    if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
    return readFileSync(file, 'utf8');
  };
  const users = usersConf((user) => `user: "${user}", password: "${passwordOf(user)}"`);
  return {
    configuration: `authorization {\n  users: [\n${users}\n  ]\n}`,
    passwordFileOf: fileOf,
    credentialsOf: (user) => ({
      NATS_USER: user,
      NATS_PASSWORD: '',
      NATS_PASSWORD_FILE: fileOf(user),
      NATS_NKEY_SEED_FILE: '',
      NATS_TLS_CA_FILE: '',
      NATS_TLS_CERT_FILE: '',
      NATS_TLS_KEY_FILE: '',
    }),
  };
}

/** Makes the streams, which services may not. */
export async function makeStreams(url: string, { passwordFileOf }: BusUsers): Promise<void> {
  const bus = await connectBus({ url, name: 'setup', user: 'setup', passwordFile: passwordFileOf('setup') });
  try {
    await Promise.all(streams.map(bus.ensureStream));
  } finally {
    await bus.close();
  }
}
