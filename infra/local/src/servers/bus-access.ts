import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { connectBus } from '@joblisting/bus';
import { type PartyName, streams, usersConf } from '@joblisting/contracts/permissions';
import { writePrivate } from '../data-files.ts';
import { passwordFile, secretsDir } from './bus-users.ts';

/** The `authorization` section of nats-server. Generates missing passwords and stores them with the data. */
export function busAuthorization(dataDir: string): string {
  mkdirSync(secretsDir(dataDir), { recursive: true, mode: 0o700 });
  const passwordOf = (user: PartyName): string => {
    const file = passwordFile(dataDir, user);
    // Atomic: a crash must not leave an empty password.
    if (!existsSync(file)) writePrivate(file, randomBytes(24).toString('hex'));
    return readFileSync(file, 'utf8');
  };
  const users = usersConf((user) => `user: "${user}", password: "${passwordOf(user)}"`);
  return `authorization {\n  users: [\n${users}\n  ]\n}`;
}

/** Creates the streams; services have no permission to. */
export async function createStreams(url: string, dataDir: string): Promise<void> {
  const access = { user: 'setup', passwordFile: passwordFile(dataDir, 'setup') };
  const bus = await connectBus({ url, name: 'setup', ...access });
  try {
    await Promise.all(streams.map(bus.ensureStream));
  } finally {
    await bus.close();
  }
}
