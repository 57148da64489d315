import { connectBus } from '@joblisting/bus';
import { streams, usersConf } from '@joblisting/contracts/permissions';
import { startNats } from '../servers/nats.ts';
import type { TestNats } from '../servers/test-nats.ts';

const passwordOf = (user: string): string => `test-${user}`;

/** The credentials of a service on a bus with users. A bus without users ignores them. */
export const busCredentials = (user: string): { NATS_USER: string; NATS_PASSWORD: string } => ({
  NATS_USER: user,
  NATS_PASSWORD: passwordOf(user),
});

/** The users of production with the permissions of production, and one without limits for the tests: the default user. */
const natsUsers = `
authorization {
  users: [
${usersConf((user) => `user: "${user}", password: "${passwordOf(user)}"`)}
  { user: "tests", password: "${passwordOf('tests')}" }
  ]
}
no_auth_user: "tests"
`;

/** Creates the streams. Services have no permission to do that. */
export async function makeStreams(url: string): Promise<void> {
  const bus = await connectBus({ url, name: 'setup', user: 'setup', password: passwordOf('setup') });
  try {
    await Promise.all(streams.map(bus.ensureStream));
  } finally {
    await bus.close();
  }
}

/**
 * Starts a nats-server on which each service has the permissions that follow from its contracts.
 * @param settings more lines of its configuration
 */
export async function startGuardedNats(settings = ''): Promise<TestNats> {
  const nats = await startNats(`${natsUsers}\n${settings}`);
  try {
    await makeStreams(nats.url);
    return nats;
  } catch (error) {
    await nats.stop();
    throw error;
  }
}
