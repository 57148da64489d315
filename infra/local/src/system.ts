import { join } from 'node:path';
import type { Steps } from '../bootstrap/steps.mjs';
import { writeJson } from './json-file.ts';
import { keepRunning } from './keep-running.ts';
import { openLogs } from './log-files.ts';
import { keptPort } from './ports.ts';
import type { Supervised } from './processes/supervise.ts';
import { type Nats, type ServerOptions, startMongod, startNats } from './servers/start-servers.ts';
import { type Service, serviceProgram } from './services.ts';
import { allOrAbort } from './all-or-abort.ts';

export type SystemOptions = ServerOptions & {
  readonly services: readonly Service[];
  readonly steps: Steps;
};

export type System = {
  readonly nats: Nats;
  /** Address of each service's metrics. */
  readonly metrics: ReadonlyMap<string, string>;
  readonly stop: () => Promise<void>;
};

/** Together below the five seconds that Ctrl-C may take. */
const serviceStopMs = 2500;
const serverStopMs = 1500;

/**
 * Starts the servers, then every service, and keeps them running.
 * @throws Problem when one does not come up; then everything is ended.
 */
export async function startSystem(options: SystemOptions, signal: AbortSignal): Promise<System> {
  const { settings, steps } = options;
  const names = options.services.map(({ name }) => name);
  const logDir = openLogs(settings.dataDir, [...names, 'mongod']);
  const servers: Supervised[] = [];
  const running: Supervised[] = [];
  const metrics = new Map<string, string>();
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((service) => service.stop(serviceStopMs)));
    await Promise.all(servers.map((server) => server.stop(serverStopMs)));
  };
  try {
    const [mongodbUri, nats] = await allOrAbort(signal, (own) => [
      steps.run('Starting MongoDB', () => startMongod(options, logDir, servers, own)),
      steps.run('Starting NATS', () => startNats(options, logDir, servers, own)),
    ]);
    await steps.run(`Starting ${names.join(', ')}`, () =>
      allOrAbort(signal, (own) =>
        options.services.map(async (service) => {
          const metricsPort = await portOf(options, service);
          running.push(await startService(options, service, { mongodbUri, nats, logDir, metricsPort }, own));
          metrics.set(service.name, `127.0.0.1:${metricsPort}`);
        }),
      ),
    );
    tellScrapers(settings.dataDir, metrics);
    return { nats, metrics, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startService(
  options: SystemOptions,
  service: Service,
  surroundings: { mongodbUri: string; nats: Nats; logDir: string; metricsPort: number },
  signal: AbortSignal,
): Promise<Supervised> {
  const { settings, guard, show } = options;
  const port = service.frontDoor ? settings.port : surroundings.metricsPort;
  const program = serviceProgram(service, { settings, ...surroundings, port, show }, guard);
  return keepRunning(options, program, { port }, signal);
}

/** Where a service answers its health, and how it does: the same port as in the last run, if it is free. */
async function portOf({ runFile }: SystemOptions, { name, frontDoor }: Service): Promise<number> {
  const kept = frontDoor ? `${name} metrics` : name;
  const port = await keptPort(runFile.portBefore(kept));
  runFile.keepPort(kept, port);
  return port;
}

/** For Prometheus, which finds in this file whom to ask (`infra/observability`). */
function tellScrapers(dataDir: string, metrics: ReadonlyMap<string, string>): void {
  const groups = [...metrics].map(([service, address]) => ({ targets: [address], labels: { service } }));
  writeJson(join(dataDir, 'metrics-targets.json'), groups);
}
