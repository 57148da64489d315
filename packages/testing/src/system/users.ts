import { connectBus } from '@joblisting/bus';
import { streams, usersConf } from '@joblisting/contracts/permissions';
import { startNats } from '../servers/nats.ts';
import type { TestNats } from '../servers/test-nats.ts';

const passwordOf = (user: string): string => `test-${user}`;

/** Who a service is on a bus with users; one without lets in everybody. */
export const busCredentials = (user: string): { NATS_USER: string; NATS_PASSWORD: string } => ({
  NATS_USER: user,
  NATS_PASSWORD: passwordOf(user),
});

/**
 * Users for a test's nats-server: those of the contracts, who may do no more than in production, and one for the tests
 * themselves, which look on and meddle. Whoever says nothing is the latter.
 */
export const natsUsers = `
authorization {
  users: [
${usersConf((user) => `user: "${user}", password: "${passwordOf(user)}"`)}
  { user: "tests", password: "${passwordOf('tests')}" }
  ]
}
no_auth_user: "tests"
`;

/** Makes the streams, as it has to be done before services start that may not. */
export async function makeStreams(url: string): Promise<void> {
  const bus = await connectBus({ url, name: 'setup', user: 'setup', password: passwordOf('setup') });
  try {
    await Promise.all(streams.map(bus.ensureStream));
  } finally {
    await bus.close();
  }
}

/**
 * A nats-server on which each service may only do what its contracts say.
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
