import { Problem } from '../../bootstrap/terminal.mjs';
import { portLike } from '../network.ts';
import type { Guard } from '../processes/child.ts';
import { keepRunning, type Supervised, type SuperviseOptions } from '../processes/supervise.ts';
import type { Settings } from '../settings.ts';
import { inChildProcess } from '../in-child-process.ts';
import { mongod, mongodUri } from './mongod.ts';
import { natsInfo, natsServer } from './nats-server.ts';
import {
  ADMIN,
  busCredentials,
  busPasswordFile,
  type Credentials,
  databaseCredentials,
  databasePasswordFile,
} from './secrets.ts';

export type ServerOptions = SuperviseOptions & {
  readonly settings: Settings;
  readonly binaries: { readonly mongod: string | undefined; readonly natsServer: string | undefined };
  readonly guard: Guard;
};

/** A server that services log in to. */
export type Access = {
  readonly url: string;
  /** Settings of a user. Empty for an external server: the environment has them. */
  readonly credentialsOf: (user: string) => Credentials;
};

/** Uses the MongoDB of the settings or starts one, with a user for each service that has a database. */
export async function startMongod(
  options: ServerOptions,
  logDir: string,
  servers: Supervised[],
  signal: AbortSignal,
): Promise<Access> {
  const { settings, runFile, guard, binaries } = options;
  if (settings.mongodbUri !== undefined) {
    const reason = await inChildProcess('whyUnusable', [settings.mongodbUri], signal);
    if (reason !== undefined) throw new Problem(`MONGODB_URI cannot be used: ${reason}.`);
    runFile.set('mongod', { pid: null, uri: settings.mongodbUri });
    return { url: settings.mongodbUri, credentialsOf: () => ({}) };
  }
  const port = await portLike(runFile.previousPort('mongod'));
  runFile.savePort('mongod', port);
  const binary = required('MONGOD_BIN', binaries.mongod);
  const { dataDir } = settings;
  const program = mongod({ binary, dataDir, logDir, port }, guard);
  const uri = mongodUri(port);
  const admin = { user: ADMIN, passwordFile: databasePasswordFile(dataDir, ADMIN) };
  servers.push(await keepRunning(options, program, { uri, ...admin }, signal));
  return { url: uri, credentialsOf: (user) => databaseCredentials(dataDir, user) };
}

/** Uses the NATS of the settings or starts one, with a user for each service. */
export async function startNats(
  options: ServerOptions,
  logDir: string,
  servers: Supervised[],
  signal: AbortSignal,
): Promise<Access> {
  const { settings, runFile, guard, binaries } = options;
  if (settings.natsUrl !== undefined) {
    const info = await natsInfo(settings.natsUrl);
    if (info === undefined) throw new Problem('NATS_URL cannot be used: no NATS server answers there.');
    if (info.jetstream !== true) throw new Problem('NATS_URL cannot be used: the server has no JetStream.');
    runFile.set('nats', { pid: null, url: settings.natsUrl });
    return { url: settings.natsUrl, credentialsOf: () => ({}) };
  }
  const port = await portLike(runFile.previousPort('nats'));
  runFile.savePort('nats', port);
  const binary = required('NATS_SERVER_BIN', binaries.natsServer);
  const { dataDir } = settings;
  const authorization = await inChildProcess('busAuthorization', [dataDir], signal);
  const program = natsServer({ binary, dataDir, logDir, port, authorization }, guard);
  const url = `nats://127.0.0.1:${port}`;
  const operator = { user: 'operator', passwordFile: busPasswordFile(dataDir, 'operator') };
  servers.push(await keepRunning(options, program, { url, ...operator }, signal));
  await inChildProcess('createStreams', [url, dataDir], signal);
  return { url, credentialsOf: (user) => busCredentials(dataDir, user) };
}

function required(name: string, value: string | undefined): string {
  if (value === undefined) throw new Problem(`${name} is not set: use \`npm start\`, which sets it.`);
  return value;
}
