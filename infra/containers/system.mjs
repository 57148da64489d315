import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serviceNames as services } from '@joblisting/contracts/permissions';
import { root } from '../local/bootstrap/paths.mjs';
import { docker, inspect, sh, tryRun, until } from './shell.mjs';

export { services };

/** Containers that run once. */
const setupServices = ['volumes', 'database', 'streams', 'seeds', 'demo-file'];

const upLimitMs = 240_000;
const healthyLimitMs = 90_000;
const downAttempts = 4;
const downPauseMs = 5000;

/** The system of docker-compose.yml with its own project name and port. */
export async function createSystem(compose, images) {
  const project = `job-listing-test-${randomBytes(3).toString('hex')}`;
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const directory = mkdtempSync(join(tmpdir(), `${project}-`));
  const dataDir = join(directory, '.data');
  const env = {
    ...process.env,
    ...images,
    COMPOSE_PROJECT_NAME: project,
    VERSION: project,
    PORT: String(port),
    PUBLIC_URL: origin,
    DATA_DIR: dataDir,
    BACKUP_DIR: join(directory, 'backups'),
    LOG_LEVEL: 'warn',
  };
  const [program, ...first] = compose;
  const files = [...first, '-f', join(root, 'docker-compose.yml')];
  const options = { env, cwd: root };
  const run = (...args) => sh(program, [...files, ...args], options);
  const withDemo = ['--profile', 'demo'];
  const withTls = [...files, '-f', join(root, 'infra/docker/tls.yml'), ...withDemo];
  const idOf = async (service) => (await run('ps', '-q', service)).split('\n')[0];
  const stateOf = async (service) => (await inspect(await idOf(service))).State;
  const demoFile = join(dataDir, 'demo.json');

  return {
    project,
    origin,
    directory,
    imageOf: (service) => `job-listing/${service}:${project}`,
    /** `volumes` builds the image of all containers that run once, except the command line. */
    build: (service) => run('build', service),
    run,
    idOf,
    stateOf,
    /** Starts everything but the demo. */
    start: () => run('up', '-d'),
    /** Starts everything with TLS in front. */
    upWithTls: (settings) =>
      sh(program, [...withTls, 'up', '-d'], { ...options, env: { ...env, ...settings } }),
    /** Runs the command line in its container and returns its result. */
    cli: async (...args) => JSON.parse(await run('run', '--rm', '-T', 'cli', ...args, '--json')),
    /** Starts everything and waits for the demo's keys, which are written last. */
    up: async () => {
      rmSync(demoFile, { force: true });
      await run(...withDemo, 'up', '-d');
      await until('the demo', upLimitMs, () => existsSync(demoFile));
      return JSON.parse(readFileSync(demoFile, 'utf8'));
    },
    /** Waits until every service is healthy. */
    healthy: async () => {
      for (const service of services) {
        await until(`${service} to be healthy`, healthyLimitMs, async () => {
          const { Health } = await stateOf(service);
          return Health?.Status === 'healthy';
        });
      }
    },
    /** The end of each log. */
    logs: async () => {
      const { output } = await tryRun(
        program,
        [...files, 'logs', '--no-color', '--tail=5', ...setupServices, ...services],
        options,
      );
      return output.replaceAll(/^(.{300}).*/gm, '$1');
    },
    down: () => down(program, [...files, ...withDemo, 'down', '-t', '15'], options),
    remove: async () => {
      await down(program, [...withTls, 'down', '-v', '--remove-orphans', '-t', '5'], options);
      const own = await docker('image', 'ls', '-q', '--filter', `reference=job-listing/*:${project}`);
      if (own !== '') await docker('image', 'rm', '-f', ...new Set(own.split('\n')));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A slow engine may still be removing a container when its network is to go. */
async function down(program, args, options) {
  for (let attempt = 1; attempt < downAttempts; attempt++) {
    const { ok, output } = await tryRun(program, args, options);
    if (ok) return;
    if (!output.includes('has active endpoints')) break;
    await delay(downPauseMs);
  }
  await sh(program, args, options);
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
