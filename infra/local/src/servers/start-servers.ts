import { Problem } from '../../bootstrap/problem.mjs';
import { keepRunning, type Keeping } from '../keep-running.ts';
import { keptPort } from '../ports.ts';
import type { Guard } from '../processes/guard.ts';
import type { Supervised } from '../processes/supervise.ts';
import type { Settings } from '../settings.ts';
import { inChildProcess } from '../in-child-process.ts';
import { type BusCredentials, credentialsOf, passwordFile } from './bus-users.ts';
import { mongod, mongodUri } from './mongod.ts';
import { natsInfo, natsServer } from './nats-server.ts';

export type ServerOptions = Keeping & {
  readonly settings: Settings;
  readonly binaries: { readonly mongod: string | undefined; readonly natsServer: string | undefined };
  readonly guard: Guard;
};

/** The MongoDB that services use: the one of the settings, or one that is started here. Answers its URI. */
export async function startMongod(
  options: ServerOptions,
  logDir: string,
  servers: Supervised[],
  signal: AbortSignal,
): Promise<string> {
  const { settings, runFile, guard, binaries } = options;
  if (settings.mongodbUri !== undefined) {
    const fault = await inChildProcess('unusable', [settings.mongodbUri], signal);
    if (fault !== undefined) throw new Problem(`MONGODB_URI cannot be used: ${fault}.`);
    runFile.set('mongod', { pid: null, uri: settings.mongodbUri });
    return settings.mongodbUri;
  }
  const port = await keptPort(runFile.portBefore('mongod'));
  runFile.keepPort('mongod', port);
  const binary = required('MONGOD_BIN', binaries.mongod);
  const program = mongod({ binary, dataDir: settings.dataDir, logDir, port }, guard);
  const uri = mongodUri(port);
  servers.push(await keepRunning(options, program, { uri }, signal));
  return uri;
}

/** The bus that services use, and who they are there. */
export type Nats = {
  readonly url: string;
  /** Settings of whoever is this user there; none where the bus runs elsewhere: the environment has them. */
  readonly credentialsOf: (user: string) => BusCredentials;
};

/** The NATS that services use: the one of the settings, or one that is started here, with a user for each. */
export async function startNats(
  options: ServerOptions,
  logDir: string,
  servers: Supervised[],
  signal: AbortSignal,
): Promise<Nats> {
  const { settings, runFile, guard, binaries } = options;
  if (settings.natsUrl !== undefined) {
    const info = await natsInfo(settings.natsUrl);
    if (info === undefined) throw new Problem('NATS_URL cannot be used: no NATS server answers there.');
    if (info.jetstream !== true) throw new Problem('NATS_URL cannot be used: that server has no JetStream.');
    runFile.set('nats', { pid: null, url: settings.natsUrl });
    return { url: settings.natsUrl, credentialsOf: () => ({}) };
  }
  const port = await keptPort(runFile.portBefore('nats'));
  runFile.keepPort('nats', port);
  const binary = required('NATS_SERVER_BIN', binaries.natsServer);
  const { dataDir } = settings;
  const access = await inChildProcess('busAccess', [dataDir], signal);
  const program = natsServer({ binary, dataDir, logDir, port, access }, guard);
  const url = `nats://127.0.0.1:${port}`;
  const operator = { user: 'operator', passwordFile: passwordFile(dataDir, 'operator') };
  servers.push(await keepRunning(options, program, { url, ...operator }, signal));
  await inChildProcess('makeStreams', [url, dataDir], signal);
  return { url, credentialsOf: (user) => credentialsOf(dataDir, user) };
}

function required(name: string, value: string | undefined): string {
  if (value === undefined) throw new Problem(`${name} is not set: start with \`npm start\`, which finds it.`);
  return value;
}
