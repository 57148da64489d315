// Fills the volumes with passwords and configuration, owned by the user of the containers. Existing passwords stay; each
// container sees only its own.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { servicesWithDatabase } from '@joblisting/contracts/permissions';

const volumes = '/volumes';
const user = 1000;
const configuration = new URL('../../nats/', import.meta.url);
const permissions = readFileSync(new URL('permissions.conf', configuration), 'utf8');

/** Volumes whose content the servers create. */
const dataVolumes = ['nats-data', 'mongodb-data', 'demo'];

function write(volume, file, content) {
  const path = join(volumes, volume, file);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: 0o600 });
  for (const each of [dirname(path), path]) chownSync(each, user, user);
}

/** Returns a secret, and creates it on first use. */
function secret(name, bytes = 24) {
  const path = join(volumes, 'vault', name);
  if (!existsSync(path)) writeFileSync(path, randomBytes(bytes).toString('hex'), { mode: 0o600 });
  return readFileSync(path, 'utf8');
}

/** Monitoring has no password, so it listens only inside its container. */
function withLocalMonitoring(settings) {
  const allInterfaces = /^http_port: (\d+)$/m;
  if (!allInterfaces.test(settings)) throw new Error('nats-server.conf has no http_port');
  return settings.replace(allInterfaces, 'http: "127.0.0.1:$1"');
}

const variable = /\$NATS_PASSWORD_([A-Z_]+)/g;
const nameOf = (variable) => variable.toLowerCase().replaceAll('_', '-');
const parties = [...permissions.matchAll(variable)].map(([, name]) => nameOf(name));

for (const volume of dataVolumes) chownSync(join(volumes, volume), user, user);
for (const party of parties.filter((party) => existsSync(join(volumes, party)))) {
  write(party, 'nats/password', secret(`nats-password-${party}`));
}
for (const service of servicesWithDatabase) {
  const password = secret(`mongodb-password-${service}`);
  write(service, 'mongodb/password', password);
  write('setup', `mongodb-password-${service}`, password);
}
write('setup', 'mongodb/password', secret('mongodb-password-admin'));
write('mongodb', 'keyfile', secret('mongodb-keyfile', 384));
// nats-server cannot read passwords from files, so write them into its configuration.
write(
  'nats',
  'permissions.conf',
  permissions.replace(variable, (_, name) => JSON.stringify(secret(`nats-password-${nameOf(name)}`))),
);
write(
  'nats',
  'nats-server.conf',
  withLocalMonitoring(readFileSync(new URL('nats-server.conf', configuration), 'utf8')),
);
for (const volume of readdirSync(volumes)) {
  if (volume !== 'vault') chownSync(join(volumes, volume), user, user);
}
