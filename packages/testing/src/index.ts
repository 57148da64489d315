export {
  type BitlyBehaviour,
  type BitlyCall,
  type BitlyOperation,
  type BitlyServer,
  startBitlyServer,
} from './bitly-server.ts';
export { block } from './block.ts';
export { type Certificates, makeCertificates } from './certificates.ts';
export { testClock, type TestClock } from './clock.ts';
export { freePort } from './free-port.ts';
export { seededBytes, seededRandom, sequence } from './deterministic.ts';
export { mostGrownOld } from './heap.ts';
export { inParallel } from './in-parallel.ts';
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
export {
  type NatsCluster,
  type NatsNode,
  type Replicated,
  startNatsCluster,
} from './servers/nats-cluster.ts';
export { startNats } from './servers/nats.ts';
export type { NatsSettings } from './servers/nats-settings.ts';
export type { TestMongo } from './servers/test-mongo.ts';
export type { TestNats } from './servers/test-nats.ts';
export { type ReceivedSpan, startTraceReceiver, traceAsText, type TraceReceiver } from './trace-receiver.ts';
export { waitFor, type WaitOptions } from './wait-for.ts';
