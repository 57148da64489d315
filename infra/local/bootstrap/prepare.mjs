import { installDependencies } from './dependencies.mjs';
import { findMongod } from './mongod.mjs';
import { findNatsServer } from './nats-server.mjs';
import { environment, findNode24 } from './node24.mjs';
import { serversFile } from './paths.mjs';
import { rememberServers } from './remember-servers.mjs';

/** Installs the dependencies, and answers the environment of everything that runs after. */
export async function prepareNode(steps) {
  await installDependencies(steps);
  return environment(await findNode24(steps));
}

/**
 * Installs the dependencies and finds or fetches MongoDB and NATS, side by side.
 * @param {{mongod: boolean, natsServer: boolean}} wanted
 * @returns {Promise<NodeJS.ProcessEnv>} with `MONGOD_BIN` and `NATS_SERVER_BIN` where they were wanted
 */
export async function prepareServers(steps, wanted) {
  const dependencies = installDependencies(steps);
  const [mongod, natsServer] = await allOrFirstFailure([
    wanted.mongod ? findMongod(steps, dependencies, () => findNode24(steps)) : undefined,
    wanted.natsServer ? findNatsServer(steps) : undefined,
    dependencies,
  ]);
  rememberServers(serversFile, { mongod, 'nats-server': natsServer });
  const env = environment(await findNode24(steps));
  if (mongod !== undefined) env.MONGOD_BIN = mongod;
  if (natsServer !== undefined) env.NATS_SERVER_BIN = natsServer;
  return env;
}

/** Lets every step end before it reports the first failure: what was fetched meanwhile is kept. */
async function allOrFirstFailure(steps) {
  const outcomes = await Promise.allSettled(steps);
  const failure = outcomes.find(({ status }) => status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return outcomes.map(({ value }) => value);
}
