import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { connectBus } from '@joblisting/bus';
import { type PartyName, streams, usersConf } from '@joblisting/contracts/permissions';
import { writeWhole } from '../json-file.ts';
import { passwordFile, secretsIn } from './bus-users.ts';

/**
 * The part of the bus server's configuration that lets its users in, with passwords that are made at the first start
 * and kept with the data.
 */
export function busAccess(dataDir: string): string {
  mkdirSync(secretsIn(dataDir), { recursive: true, mode: 0o700 });
  const passwordOf = (user: PartyName): string => {
    const file = passwordFile(dataDir, user);
    // An empty file would be a password for good.
    if (!existsSync(file)) writeWhole(file, randomBytes(24).toString('hex'));
    return readFileSync(file, 'utf8');
  };
  const users = usersConf((user) => `user: "${user}", password: "${passwordOf(user)}"`);
  return `authorization {\n  users: [\n${users}\n  ]\n}`;
}

/** Makes the streams, which services may not. */
export async function makeStreams(url: string, dataDir: string): Promise<void> {
  const access = { user: 'setup', passwordFile: passwordFile(dataDir, 'setup') };
  const bus = await connectBus({ url, name: 'setup', ...access });
  try {
    await Promise.all(streams.map(bus.ensureStream));
  } finally {
    await bus.close();
  }
}
