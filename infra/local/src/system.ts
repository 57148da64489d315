import { join } from 'node:path';
import type { Steps } from '../bootstrap/terminal.mjs';
import { writeJson } from './data-files.ts';
import { portLike } from './network.ts';
import { keepRunning, type Supervised } from './processes/supervise.ts';
import { type Access, type ServerOptions, startMongod, startNats } from './servers/start-servers.ts';
import { type Service, serviceProgram } from './services.ts';

export type SystemOptions = ServerOptions & {
  readonly services: readonly Service[];
  readonly logDir: string;
  readonly steps: Steps;
};

export type System = {
  readonly nats: Access;
  /** Address of each service's metrics. */
  readonly metrics: ReadonlyMap<string, string>;
  readonly stop: () => Promise<void>;
};

/** Their sum keeps Ctrl-C under five seconds. */
const serviceStopMs = 2500;
const serverStopMs = 1500;

/**
 * Starts the servers, then every service, and keeps them running.
 * @throws Problem when one does not start; then everything is stopped.
 */
export async function startSystem(options: SystemOptions, signal: AbortSignal): Promise<System> {
  const { settings, steps, logDir } = options;
  const names = options.services.map(({ name }) => name);
  const servers: Supervised[] = [];
  const running: Supervised[] = [];
  const metrics = new Map<string, string>();
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((service) => service.stop(serviceStopMs)));
    await Promise.all(servers.map((server) => server.stop(serverStopMs)));
  };
  try {
    const [mongodb, nats] = await allOrAbort(signal, (own) => [
      steps.run('Starting MongoDB', () => startMongod(options, logDir, servers, own)),
      steps.run('Starting NATS', () => startNats(options, logDir, servers, own)),
    ]);
    await steps.run(`Starting ${names.join(', ')}`, () =>
      allOrAbort(signal, (own) =>
        options.services.map(async (service) => {
          const metricsPort = await healthPort(options, service);
          running.push(await startService(options, service, { mongodb, nats, metricsPort }, own));
          metrics.set(service.name, `127.0.0.1:${metricsPort}`);
        }),
      ),
    );
    writeScrapeTargets(settings.dataDir, metrics);
    return { nats, metrics, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startService(
  options: SystemOptions,
  service: Service,
  connections: { mongodb: Access; nats: Access; metricsPort: number },
  signal: AbortSignal,
): Promise<Supervised> {
  const { settings, guard, show, logDir } = options;
  const port = service.publicPort ? settings[service.publicPort] : connections.metricsPort;
  const program = serviceProgram(service, { settings, ...connections, logDir, port, show }, guard);
  return keepRunning(options, program, { port }, signal);
}

/** The port of health and metrics: the one of the last run, if it is free. */
async function healthPort({ runFile }: SystemOptions, { name, publicPort }: Service): Promise<number> {
  const key = publicPort ? `${name} metrics` : name;
  const port = await portLike(runFile.previousPort(key));
  runFile.savePort(key, port);
  return port;
}

/** Prometheus reads its targets from this file (`infra/observability`). */
function writeScrapeTargets(dataDir: string, metrics: ReadonlyMap<string, string>): void {
  const groups = [...metrics].map(([service, address]) => ({ targets: [address], labels: { service } }));
  writeJson(join(dataDir, 'metrics-targets.json'), groups);
}

/** Waits for all. If one fails, aborts the others and rejects after they have ended. */
async function allOrAbort<const T extends readonly Promise<unknown>[]>(
  signal: AbortSignal,
  start: (own: AbortSignal) => T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const failed = new AbortController();
  const all = start(AbortSignal.any([signal, failed.signal]));
  try {
    return await Promise.all(all);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(all);
    throw error;
  }
}
