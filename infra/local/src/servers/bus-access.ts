import { readFileSync } from 'node:fs';
import { connectBus } from '@joblisting/bus';
import { streams, usersConf } from '@joblisting/contracts/permissions';
import { busPasswordFile } from './secrets.ts';

/** The `authorization` section of nats-server. */
export function busAuthorization(dataDir: string): string {
  const passwordOf = (user: string): string => readFileSync(busPasswordFile(dataDir, user), 'utf8');
  const users = usersConf((user) => `user: "${user}", password: "${passwordOf(user)}"`);
  return `authorization {\n  users: [\n${users}\n  ]\n}`;
}

/** Creates the streams; services have no permission to. */
export async function createStreams(url: string, dataDir: string): Promise<void> {
  const access = { user: 'setup', passwordFile: busPasswordFile(dataDir, 'setup') };
  const bus = await connectBus({ url, name: 'setup', ...access });
  try {
    await Promise.all(streams.map(bus.ensureStream));
  } finally {
    await bus.close();
  }
}
