import {
  type Context,
  type MongoContext,
  type Parts,
  type ServiceDefinition,
  type StartOptions,
  startService,
} from './service.ts';

/**
 * Does what comes before a service serves (indexes, seeds, streams), and lets go of everything again.
 * Any number of times, and beside running replicas: what builds for long can so be done before they are replaced.
 * Rejects as startService does.
 */
export async function prepareService<C>(
  definition: ServiceDefinition<C>,
  options: StartOptions,
): Promise<void> {
  const env = { ...options.env, HEALTH_PORT: '0' };
  const { log, stop } = await startService(preparing(definition), { ...options, env });
  await stop();
  log.info('prepared');
}

const beforeServing = ({ start, stop }: Parts): Parts => ({ ...(start && { start }), ...(stop && { stop }) });

function preparing<C>(definition: ServiceDefinition<C>): ServiceDefinition<C> {
  return definition.mongo
    ? { ...definition, create: (context: MongoContext<C>) => beforeServing(definition.create(context)) }
    : { ...definition, create: (context: Context<C>) => beforeServing(definition.create(context)) };
}
