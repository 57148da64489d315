import { getPriority, setPriority } from 'node:os';
import closeWithGrace from 'close-with-grace';
import { ConfigError } from './config.ts';
import { isRefusal } from './connections.ts';
import { createLog } from './log.ts';
import {
  type Context,
  type MongoContext,
  type Parts,
  type RunningService,
  type ServiceDefinition,
  type StartOptions,
  startService,
} from './service.ts';

/** How long a process may take to stop in order; a supervisor has to leave it more. */
export const STOP_LIMIT_MS = 10_000;
const PREPARE = '--prepare';
const LOWER_PRIORITY = 10;
const LOWEST_PRIORITY = 19;

/**
 * The whole life of a service's process: start, serve, stop on SIGTERM or SIGINT, exit. A wrong setting, a server that
 * refuses the service and a bus connection that closes for good end it with 1, for a supervisor to restart it.
 * With the argument `--prepare` it makes indexes and seeds, and ends.
 */
export async function runService<C>(definition: ServiceDefinition<C>): Promise<void> {
  // On shared cores the gateway goes first, so that it refuses excess load within 50 ms while owners are busy.
  if (definition.mongo) setPriority(Math.min(getPriority() + LOWER_PRIORITY, LOWEST_PRIORITY));
  let service: RunningService | undefined;
  // Before the start, because a signal may arrive during it.
  const grace = closeWithGrace({ delay: STOP_LIMIT_MS }, async ({ err, signal }) => {
    const log = service?.log ?? createLog(definition.name, 'info');
    if (err) log.fatal({ err }, 'stopping after an error that nobody handled');
    else log.info({ signal }, 'stopping');
    await service?.stop();
  });
  try {
    if (process.argv.includes(PREPARE)) {
      await prepareService(definition, { env: process.env });
      return grace.uninstall();
    }
    const started = await startService(definition, { env: process.env });
    service = started;
    void started.bus.closed().then((error) => {
      if (!error) return;
      started.log.fatal({ err: error }, 'the bus connection is closed for good');
      process.exit(1);
    });
  } catch (error) {
    grace.uninstall();
    if (error instanceof ConfigError || isRefusal(error)) explain(definition.name, error);
    else createLog(definition.name, 'info').fatal({ err: error }, 'could not start');
    process.exitCode = 1;
    setTimeout(() => process.exit(1), 200).unref();
  }
}

/** An operator's mistake needs no stack: text on a terminal, a line of the log elsewhere. */
function explain(service: string, { message }: Error): void {
  if (process.stdout.isTTY) process.stderr.write(`${service}: ${message}\n`);
  else createLog(service, 'info').fatal(message);
}

/**
 * Runs a service's `start` (indexes, seeds, streams) and stops. Safe to repeat, also beside running replicas: an
 * upgrade runs it first, so that long indexes are built before replicas are replaced. Rejects as startService does.
 */
export async function prepareService<C>(
  definition: ServiceDefinition<C>,
  options: StartOptions,
): Promise<void> {
  const env = { ...options.env, HEALTH_PORT: '0' };
  const { log, stop } = await startService(withoutServing(definition), { ...options, env });
  await stop();
  log.info('prepared');
}

function withoutServing<C>(definition: ServiceDefinition<C>): ServiceDefinition<C> {
  const only = ({ start, stop }: Parts): Parts => ({ ...(start && { start }), ...(stop && { stop }) });
  return definition.mongo
    ? { ...definition, create: (context: MongoContext<C>) => only(definition.create(context)) }
    : { ...definition, create: (context: Context<C>) => only(definition.create(context)) };
}
