import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connectBus } from '@joblisting/bus';
import { type PartyName, streams, usersConf } from '@joblisting/contracts/permissions';
import { passwordFile, secretsIn } from './bus-users.ts';

/**
 * The part of the bus server's configuration that lets its users in, with passwords that are made at the first start
 * and kept with the data.
 */
export function busAccess(dataDir: string): string {
  mkdirSync(secretsIn(dataDir), { recursive: true, mode: 0o700 });
  const passwordOf = (user: PartyName): string => {
    const file = passwordFile(dataDir, user);
    if (!existsSync(file)) writePassword(file);
    return readFileSync(file, 'utf8');
  };
  const users = usersConf((user) => `user: "${user}", password: "${passwordOf(user)}"`);
  return `authorization {\n  users: [\n${users}\n  ]\n}`;
}

/** Whole or not at all: an empty file would be a password for good. */
function writePassword(file: string): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, randomBytes(24).toString('hex'), { mode: 0o600 });
  renameSync(unfinished, file);
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
