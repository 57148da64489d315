import { ConfigError, type ConfigOf, type ServiceDefinition } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';
import { gatewayConfig } from './config.ts';
import { createServer } from './server.ts';

export const gatewayService: ServiceDefinition<ConfigOf<typeof gatewayConfig>> = {
  name: 'gateway',
  description: 'HTTP in front of the bus: keys, envelopes, errors, docs.',
  config: gatewayConfig,
  mongo: false,
  create: (context) => {
    const { config, log } = context;
    let server: FastifyInstance | undefined;
    return {
      started: async () => {
        server = await createServer(context);
        const address = await listen(server, config.HOST, config.PORT);
        log.info({ address }, 'listening');
      },
      closing: async () => server?.close(),
    };
  },
};

/** Connections that wait to be accepted. Past it, a client retries only after a second, then three. */
const BACKLOG = 4096;

/** Listens and returns the address. Throws ConfigError if it cannot listen on HOST and PORT. */
async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    return await server.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    throw configErrorOf((error as NodeJS.ErrnoException).code, host, port) ?? error;
  }
}

function configErrorOf(code: string | undefined, host: string, port: number): ConfigError | undefined {
  if (code === 'EADDRINUSE') return new ConfigError([`PORT ${port} on ${host} is taken by another process`]);
  if (code === 'EACCES') return new ConfigError([`PORT ${port} may not be opened by this user`]);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigError([`HOST ${host} is no address of this machine`]);
  }
  return undefined;
}
