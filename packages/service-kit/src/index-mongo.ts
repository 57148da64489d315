/** Everything that loads mongoose. The gateway and the scheduler have no database and save its 20 MB. */
export * from './id-blocks.ts';
export * from './insert-each.ts';
export * from './kept-answers.ts';
export * from './mongo.ts';
export * from './relay/lease.ts';
export * from './relay/relay.ts';
export * from './relay/relay-metrics.ts';
export * from './relay/relay-model.ts';
export { type RelayStore, relayStore, type RelayStoreOptions } from './relay/relay-store.ts';
