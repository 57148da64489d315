export {
  type BitlyBehaviour,
  type BitlyCall,
  type BitlyOperation,
  type BitlyServer,
  startBitlyServer,
} from './bitly-server.ts';
export { findBrowser, openBrowser, type Page } from './browser.ts';
export { type Certificates, makeCertificates } from './certificates.ts';
export { testClock, type TestClock } from './clock.ts';
export { freePort } from './free-port.ts';
export { type Random, randomFrom, seededBytes, seededRandom, sequence } from './deterministic.ts';
export { type Finding, findingsOf, jsonLdOf } from './job-posting-rules.ts';
export { guard } from './servers/guard.ts';
export { type GuardedMongo, startGuardedMongod } from './servers/guarded-mongod.ts';
export { type MongoProxy, mongoProxy } from './mongo-proxy.ts';
export { describeKind, serverKind, type ServerKind } from './servers/kind.ts';
export { databasePrefix, dropDatabase, startMongo, testMongoUri } from './servers/mongo.ts';
export { startMongod, type TestMongod } from './servers/mongod.ts';
export {
  type MongoMember,
  type MongoSet,
  type ReplicaSetSettings,
  startMongoSet,
} from './servers/mongo-set.ts';
export { type NatsCluster, type NatsNode, startNatsCluster } from './servers/nats-cluster.ts';
export { startNats } from './servers/nats.ts';
export { least, most, quantile, showQuantiles, slope, sum, tally } from './statistics.ts';
export type { TestMongo } from './servers/mongod-process.ts';
export { textFieldsOf, type TextField, type TextSchema, withText, worstTexts } from './text-fields.ts';
export type { NatsSettings, TestNats } from './servers/test-nats.ts';
export { type ReceivedSpan, startTraceReceiver, traceAsText, type TraceReceiver } from './trace-receiver.ts';
export { inParallel, waitFor, type WaitOptions } from './wait-for.ts';
