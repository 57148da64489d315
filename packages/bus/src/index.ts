export * from './bus.ts';
export type { Consuming, ConsumeOptions } from './consume.ts';
export type { ConsumerState } from './consumer-state.ts';
export type { Published } from './events.ts';
export type { BusObserver, TracedWork } from './observer.ts';
export { IN_FLIGHT_BYTES } from './responder.ts';
export type { Endpoint, RawHandler, Served, ServeOptions } from './responder.ts';
export type { CallContext, Outcome, RawReply, RawRequest, ReplyMeta } from './wire.ts';
