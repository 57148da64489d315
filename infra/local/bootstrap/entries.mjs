import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { become, passThrough } from './command.mjs';
import { findNode24 } from './node24.mjs';
import { root } from './paths.mjs';
import { build, generateClient, prepareNode, prepareServers } from './prepare.mjs';
import { findSchemathesis } from './schemathesis.mjs';

const sourceMaps = new URL('./source-maps.mjs', import.meta.url).href;

/** Relative file names start where the user called npm. */
const callerFolder = process.env.INIT_CWD ?? process.cwd();

const serviceFolders = () => readdirSync(join(root, 'services')).map((name) => `services/${name}`);

/** Runs a file of this repository with packages from their sources. */
const runSource = (file, args, env, cwd = root) =>
  passThrough('node', ['--conditions=@joblisting/source', join(root, file), ...args], { cwd, env });

const prepareBothServers = async (steps) => ({
  ...(await prepareServers(steps, { mongod: true, natsServer: true })),
  TEST_SERVERS: 'binaries',
});

/** The commands of `bootstrap.mjs`. Each returns an exit code. */
export const entries = {
  async start(steps, args) {
    const { MONGODB_URI, NATS_URL } = process.env;
    const env = await prepareServers(steps, { mongod: !MONGODB_URI, natsServer: !NATS_URL });
    await generateClient(steps, env);
    await build(steps, env, [...serviceFolders(), 'infra/local']);
    const main = join(root, 'infra', 'local', 'dist', 'start.js');
    return become(await findNode24(steps), [`--import=${sourceMaps}`, main, ...args], {
      cwd: root,
      env: { ...env, BOOTSTRAP_BEGAN_MS: String(performance.timeOrigin) },
    });
  },

  async test(steps, args) {
    const binaries = process.env.TEST_SERVERS !== 'containers';
    const env = await prepareServers(steps, { mongod: binaries, natsServer: binaries });
    return passThrough('node', [join(root, 'packages', 'testing', 'run-tests.ts'), ...args], {
      cwd: root,
      env,
    });
  },

  async cli(steps, args) {
    const env = await prepareNode(steps);
    await generateClient(steps, env);
    await build(steps, env, ['packages/cli']);
    const main = join(root, 'packages', 'cli', 'dist', 'main.js');
    return passThrough('node', ['--enable-source-maps', main, ...args], { cwd: callerFolder, env });
  },

  async chaos(steps, args) {
    return runSource('packages/chaos/src/main.ts', args, await prepareBothServers(steps));
  },

  async bench(steps, args) {
    const env = await prepareBothServers(steps);
    await generateClient(steps, env);
    await build(steps, env, [...serviceFolders(), 'packages/cli', 'infra/local']);
    return runSource('packages/bench/src/main.ts', args, env, callerFolder);
  },

  async fuzz(steps, args) {
    const schemathesis = await findSchemathesis(steps);
    const env = await prepareBothServers(steps);
    return runSource('packages/e2e/src/fuzz/main.ts', args, {
      ...env,
      SCHEMATHESIS: JSON.stringify(schemathesis),
    });
  },

  async generate(steps) {
    return runSource('infra/generate/main.mjs', [], await prepareNode(steps));
  },

  async check(steps) {
    return runChecks(await prepareNode(steps));
  },

  async containers(steps, args) {
    return runSource('infra/containers/main.mjs', args, await prepareNode(steps));
  },
};
