// Makes the volumes ready: passwords and configuration where they are missing, all of it owned by the user that the
// containers run as. Everything is kept once it is made; each container sees its own secrets only.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { servicesWithDatabase } from '@joblisting/contracts/permissions';

const volumes = '/volumes';
const user = 1000;
const configuration = new URL('../../nats/', import.meta.url);
const permissions = readFileSync(new URL('permissions.conf', configuration), 'utf8');

/** What compose mounts for data; it is made by the servers themselves. */
const data = ['nats-data', 'mongodb-data', 'demo'];

function write(volume, file, content) {
  const path = join(volumes, volume, file);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: 0o600 });
  for (const each of [dirname(path), path]) chownSync(each, user, user);
}

/** The secret of this name, made when it is asked for the first time. */
function secret(name, bytes = 24) {
  const path = join(volumes, 'vault', name);
  if (!existsSync(path)) writeFileSync(path, randomBytes(bytes).toString('hex'), { mode: 0o600 });
  return readFileSync(path, 'utf8');
}

/** Monitoring asks for no password and tells much: other containers do not reach it. */
function watchedFromInside(settings) {
  const everywhere = /^http_port: (\d+)$/m;
  if (!everywhere.test(settings)) throw new Error('nats-server.conf has no http_port');
  return settings.replace(everywhere, 'http: "127.0.0.1:$1"');
}

const variable = /\$NATS_PASSWORD_([A-Z_]+)/g;
const nameOf = (variable) => variable.toLowerCase().replaceAll('_', '-');
const parties = [...permissions.matchAll(variable)].map(([, name]) => nameOf(name));

for (const volume of data) chownSync(join(volumes, volume), user, user);
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
// The server reads no password from a file, and its image has no shell that could.
write(
  'nats',
  'permissions.conf',
  permissions.replace(variable, (_, name) => JSON.stringify(secret(`nats-password-${nameOf(name)}`))),
);
write(
  'nats',
  'nats-server.conf',
  watchedFromInside(readFileSync(new URL('nats-server.conf', configuration), 'utf8')),
);
for (const volume of readdirSync(volumes)) {
  if (volume !== 'vault') chownSync(join(volumes, volume), user, user);
}
