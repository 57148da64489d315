import { servicesWithDatabase } from '@joblisting/contracts/permissions';
import { docker, inspect } from './shell.mjs';
import { services } from './system.mjs';

const servers = ['nats', 'mongodb'];

/** Runs inside the container of a service, without a shell. */
const probe = `
const { readdirSync, writeFileSync } = require('node:fs');
const { connect } = require('node:net');
const tryWrite = (path) => { try { writeFileSync(path, ''); return 'written'; } catch (error) { return error.code; } };
const status = require('node:fs').readFileSync('/proc/self/status', 'utf8');
const reach = (host, port) => new Promise((resolve) => connect({ host, port, timeout: 2000 })
  .once('connect', () => resolve('open')).once('timeout', () => resolve('closed')).once('error', () => resolve('closed')));
Promise.all([reach('mongodb', 27017), reach('nats', 8222)]).then(([mongodb, monitoring]) => {
  console.log(JSON.stringify({
    user: process.getuid(),
    write: ['/app/x', '/etc/x', '/x'].map(tryWrite),
    capabilities: /CapEff:\\s*(\\w+)/.exec(status)[1],
    mongodb,
    monitoring,
  }));
  process.exit();
});`;

/** Checks every container against docker-compose.yml, from the engine and from inside. */
export async function checkConfinement(system, tally) {
  for (const name of [...services, ...servers]) {
    const { Config, HostConfig } = await inspect(await system.idOf(name));
    const { ReadonlyRootfs, CapDrop, CapAdd, SecurityOpt, Privileged } = HostConfig;
    tally.equal(
      `${name}: not root, read-only, no capabilities, no new privileges`,
      {
        root: /^$|^(0|root)\b/.test(Config.User),
        readOnly: ReadonlyRootfs,
        capabilities: [CapDrop, CapAdd ?? [], Privileged],
        newPrivileges: !SecurityOpt.some((option) => option.startsWith('no-new-privileges')),
      },
      { root: false, readOnly: true, capabilities: [['ALL'], [], false], newPrivileges: false },
    );
  }
  for (const name of services) {
    const id = await system.idOf(name);
    const { Config } = await inspect(system.imageOf(name));
    tally.equal(
      `${name}: starts and checks its health without a shell`,
      [
        Config.Entrypoint?.length ? Config.Entrypoint : null,
        Config.Cmd.at(0),
        Config.Cmd.at(-1),
        Config.Healthcheck.Test[0],
      ],
      [null, 'node', 'dist/main.js', 'CMD'],
    );
    const report = JSON.parse(await docker('exec', id, 'node', '-e', probe));
    tally.equal(
      `${name}: cannot write, reaches only its own database, and not the monitoring of the bus`,
      report,
      {
        user: 1000,
        write: ['EROFS', 'EROFS', 'EROFS'],
        capabilities: '0000000000000000',
        mongodb: servicesWithDatabase.includes(name) ? 'open' : 'closed',
        monitoring: 'closed',
      },
    );
  }
}

/** Checks that a service exits with 0 within its grace period. */
export async function checkStop(system, tally) {
  for (const name of ['jobs', 'gateway']) {
    const id = await system.idOf(name);
    await docker('stop', '-t', '15', id);
    const { ExitCode } = (await inspect(id)).State;
    tally.equal(`${name}: exits with 0 on SIGTERM`, ExitCode, 0);
    await docker('start', id);
  }
}
