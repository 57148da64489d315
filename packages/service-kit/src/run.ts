import { getPriority, setPriority } from 'node:os';
import closeWithGrace from 'close-with-grace';
import { letGoOfStart } from './after-start.ts';
import { ConfigError } from './config.ts';
import { isRefusal } from './connections.ts';
import { createLog } from './log.ts';
import { prepareService } from './prepare.ts';
import { type RunningService, type ServiceDefinition, startService } from './service.ts';
import { keepTickShape } from './tick-shape.ts';

/** How long a process may take to stop in order; a supervisor has to leave it more. */
export const STOP_LIMIT_MS = 10_000;
const PREPARE = '--prepare';
/** How much nicer, in the sense of nice(1), a service is that owns data. */
const GIVES_WAY = 10;
const NICEST = 19;

/**
 * The whole life of a service's process: start, serve, stop on SIGTERM or SIGINT, exit. A wrong setting is told
 * in plain lines and ends it with 1, as do servers that do not let it in; so does a bus connection that closes for good,
 * for a supervisor to restart it.
 * With the argument `--prepare` it makes indexes and seeds, and ends.
 */
export async function runService<C>(definition: ServiceDefinition<C>): Promise<void> {
  // On a machine that the gateway shares, refusing what is too much must go before doing what is not.
  if (definition.mongo) setPriority(Math.min(getPriority() + GIVES_WAY, NICEST));
  let service: RunningService | undefined;
  // Comes before the start: a signal may arrive at any moment of it.
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
    keepTickShape();
    const started = await startService(definition, { env: process.env });
    service = started;
    letGoOfStart();
    void started.bus.closed().then((error) => {
      if (!error) return;
      started.log.fatal({ err: error }, 'the bus connection is closed for good');
      process.exit(1);
    });
  } catch (error) {
    grace.uninstall();
    if (error instanceof ConfigError || isRefusal(error))
      process.stderr.write(`${definition.name}: ${error.message}\n`);
    else createLog(definition.name, 'info').fatal({ err: error }, 'could not start');
    process.exitCode = 1;
    setTimeout(() => process.exit(1), 200).unref();
  }
}
