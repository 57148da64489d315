// Writes Scalar's script to standard output: the package has it only behind its plugin's route.
import scalar from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

const server = fastify();
await server.register(scalar, { routePrefix: '/', configuration: { url: '/' } });
const { rawPayload } = await server.inject('/js/scalar.js');
process.stdout.write(rawPayload);
