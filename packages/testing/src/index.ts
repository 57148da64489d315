export { testClock, type TestClock } from './clock.ts';
export { seededBytes, seededRandom, sequence } from './deterministic.ts';
export { describeKind, serverKind, type ServerKind } from './servers/kind.ts';
export { databasePrefix, startMongo, testMongoUri, type TestMongo } from './servers/mongo.ts';
export { startNats, type TestNats } from './servers/nats.ts';
export { waitFor, type WaitOptions } from './wait-for.ts';
