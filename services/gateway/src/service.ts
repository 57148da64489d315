import type { ConfigOf, ServiceDefinition } from '@joblisting/service-kit';
import { listen } from '@joblisting/service-kit/http';
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
