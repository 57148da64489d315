import type { Steps } from '../bootstrap/steps.mjs';
import { keepRunning } from './keep-running.ts';
import { openLogs } from './log-files.ts';
import { keptPort } from './ports.ts';
import type { Supervised } from './processes/supervise.ts';
import { type ServerOptions, startMongod, startNats } from './servers/start-servers.ts';
import { type Service, serviceProgram } from './services.ts';
import { together } from './together.ts';

export type SystemOptions = ServerOptions & {
  readonly services: readonly Service[];
  readonly steps: Steps;
};

export type System = {
  readonly natsUrl: string;
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
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((service) => service.stop(serviceStopMs)));
    await Promise.all(servers.map((server) => server.stop(serverStopMs)));
  };
  try {
    const [mongodbUri, natsUrl] = await together(signal, (own) => [
      steps.run('Starting MongoDB', () => startMongod(options, logDir, servers, own)),
      steps.run('Starting NATS', () => startNats(options, logDir, servers, own)),
    ]);
    await steps.run(`Starting ${names.join(', ')}`, () =>
      together(signal, (own) =>
        options.services.map(async (service) => {
          running.push(await startService(options, service, { mongodbUri, natsUrl, logDir }, own));
        }),
      ),
    );
    return { natsUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startService(
  options: SystemOptions,
  service: Service,
  surroundings: { mongodbUri: string; natsUrl: string; logDir: string },
  signal: AbortSignal,
): Promise<Supervised> {
  const { settings, runFile, guard, show } = options;
  const port = service.frontDoor ? settings.port : await keptPort(runFile.portBefore(service.name));
  if (!service.frontDoor) runFile.keepPort(service.name, port);
  const program = serviceProgram(service, { settings, ...surroundings, port, show }, guard);
  return keepRunning(options, program, { port }, signal);
}
