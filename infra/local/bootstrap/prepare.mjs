import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture } from './command.mjs';
import { installDependencies } from './dependencies.mjs';
import { environment, findNode24 } from './node24.mjs';
import { executable, root, serversFile } from './paths.mjs';
import { findMongod, findNatsServer } from './servers.mjs';
import { Problem } from './terminal.mjs';

/** Installs the dependencies and returns the environment for Node 24. */
export async function prepareNode(steps) {
  await installDependencies(steps);
  return environment(await findNode24(steps));
}

/**
 * Installs the dependencies and finds or fetches MongoDB and NATS, in parallel.
 * @param {{mongod: boolean, natsServer: boolean}} wanted
 * @returns {Promise<NodeJS.ProcessEnv>} with `MONGOD_BIN` and `NATS_SERVER_BIN` if wanted
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

/** Reports the first failure after every step has ended, so that finished downloads are kept. */
async function allOrFirstFailure(steps) {
  const outcomes = await Promise.allSettled(steps);
  const failure = outcomes.find(({ status }) => status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return outcomes.map(({ value }) => value);
}

/**
 * Writes the paths of server programs for tests, which run without the bootstrap. An undefined path keeps its old entry.
 * @param {string} file
 * @param {{mongod?: string | undefined, "nats-server"?: string | undefined}} paths
 */
export function rememberServers(file, paths) {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  const after = JSON.stringify({ ...JSON.parse(before), ...JSON.parse(JSON.stringify(paths)) });
  if (after === before) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
}

/** Generates what the command line builds from: the types of the API's client. Does nothing while the API is the same. */
export async function generateClient(steps, env) {
  await steps.run('Describing the API', () =>
    succeed(
      'turbo',
      ['run', 'generate', '--filter=@joblisting/client'],
      env,
      'The API could not be described',
    ),
  );
}

/** Builds the packages in these folders and their dependencies, with one compiler that reads each library once. */
export async function build(steps, env, folders) {
  await steps.run('Building', () => succeed('tsc', ['-b', ...folders], env, 'The build failed'));
}

/** Runs an installed program. Throws a `Problem` with its output if it fails. */
async function succeed(program, args, env, failure) {
  const isWindows = executable !== '';
  const path = join(root, 'node_modules', '.bin', `${program}${isWindows ? '.cmd' : ''}`);
  const { code, output } = await capture(path, args, { cwd: root, env, shell: isWindows });
  if (code !== 0) throw new Problem(`${failure}:\n${output.trim()}`);
}
