export { testClock, type TestClock } from './clock.ts';
export { seededBytes, seededRandom, sequence } from './deterministic.ts';
export { describeKind, serverKind, type ServerKind } from './servers/kind.ts';
export { databasePrefix, startMongo, testMongoUri } from './servers/mongo.ts';
export { startNats } from './servers/nats.ts';
export type { TestMongo } from './servers/test-mongo.ts';
export type { TestNats } from './servers/test-nats.ts';
export { waitFor, type WaitOptions } from './wait-for.ts';
