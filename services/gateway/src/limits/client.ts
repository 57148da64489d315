import { ServiceError } from '@joblisting/contracts';
import { networkOf } from '@joblisting/service-kit/http';
import type { FastifyRequest } from 'fastify';

/** Who shares the gateway with others: a consumer by its id, or the network of a request without keys. */
export type Client = number | string;

export const clientOf = ({ state, ip }: FastifyRequest): Client =>
  state.principal?.consumerId ?? networkOf(ip);

/** For a client over its share. Made once: an Error's stack costs more than all else of a refusal. */
export const consumerConcurrency = new ServiceError('consumer_concurrency', undefined, {
  reason: 'consumer_concurrency',
  retryAfterSeconds: 1,
});
