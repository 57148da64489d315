/** The only importer of the NATS client: requests with a deadline, services, streams, durable consumers. */
export { accessFrom, type BusAccess, BusRefused } from './access.ts';
export * from './client.ts';
export type { Consuming, ConsumeOptions, ConsumerState } from './consumer.ts';
export type { Denial } from './denials.ts';
export { type CallContext, jsonBytes, type Outcome } from './envelope.ts';
export type { RawReply, RawRequest, ReplyMeta } from './envelope.ts';
export type { Published } from './events.ts';
export { type BusObserver, type Observation, unobserved } from './observer.ts';
export type { StreamMessage, StreamState } from './stream-reader.ts';
export { IN_FLIGHT_BYTES } from './server.ts';
export type { Endpoint, RawHandler, Served, ServeOptions } from './server.ts';
