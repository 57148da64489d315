export { jsonBytes } from '@joblisting/bus';
export * from './background.ts';
export * from './batching.ts';
export * from './config.ts';
export * from './database-errors.ts';
export * from './endpoint.ts';
export * from './formats.ts';
export * from './growing-pause.ts';
export type { NextId } from './id-blocks.ts';
export * from './idempotency.ts';
export {
  type JsonPath,
  type JsonReading,
  MAX_DEPTH,
  MAX_PARTS,
  parseJson,
  parseJsonObject,
  readJson,
  repeatedNamesError,
  requireObject,
} from './json-body.ts';
export type { StoredAnswer } from './kept-answers.ts';
export * from './log.ts';
export * from './models.ts';
export type { Mongo, MongoAccess } from './mongo.ts';
export { busTrouble, databaseTrouble } from './readiness.ts';
export * from './run.ts';
export * from './service.ts';
export * from './shape.ts';
export * from './version.ts';
export { createMetrics, type Metrics, type Reading } from './telemetry/metrics.ts';
export {
  endSpan,
  readTraceparent,
  type TraceParent,
  traceIdOf,
  traceparentOf,
  writeTraceparent,
} from './telemetry/trace-parent.ts';
export type { Tracing } from './telemetry/tracing.ts';
export type { Span } from '@opentelemetry/api';
export * from './transaction.ts';
export { pointerTo } from './violations.ts';
