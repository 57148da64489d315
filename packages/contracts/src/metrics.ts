import { type Static, Type } from 'typebox';
import { operationsOf } from './define.ts';
import { Int32, NoParams, OneOf, Text } from './fields.ts';
import type { Event, Stream } from './operation.ts';

const operation = operationsOf('metrics');

/** Something that happened to a job. The sender chooses `id`; a repeated id never counts twice. */
export const MetricsEvent = Type.Object({
  id: Text(64, {
    description:
      'Unique within its sender, such as a UUID or ULID. The id `application:<id>` of an application event is reserved: the service counts the applications that it receives itself, so such an event is a duplicate.',
    examples: ['01JD4S9X6N'],
  }),
  jobId: Int32(),
  type: OneOf(['view', 'application', 'clickThrough']),
  at: Type.Optional(Type.String({ format: 'date-time' })),
});
export type MetricsEvent = Static<typeof MetricsEvent>;

export const MetricsBatch = Type.Object({
  events: Type.Array(MetricsEvent, { minItems: 1, maxItems: 1000 }),
});
export type MetricsBatch = Static<typeof MetricsBatch>;

export const RejectedEvent = Type.Object({
  index: Type.Integer(),
  code: OneOf(['unknown_job']),
  detail: Type.String(),
});

export const MetricsReceipt = Type.Object({
  accepted: Type.Integer(),
  duplicates: Type.Integer(),
  rejected: Type.Array(RejectedEvent),
});
export type MetricsReceipt = Static<typeof MetricsReceipt>;

/** Replies only after the accepted events are durable. */
export const recordEvents = operation('events.record', {
  summary: 'Count views, applications and click-throughs',
  params: Type.Object({ format: Type.Optional(OneOf(['json', 'ndjson'])) }),
  body: MetricsBatch,
  reply: MetricsReceipt,
  takesIdempotencyKey: true,
});

/** For `jobs`: drops the counters of deleted jobs. */
export const forgetJobs = operation('jobs.forget', {
  summary: 'Drop the counters of jobs',
  params: NoParams,
  body: Type.Object({ jobIds: Type.Array(Int32(), { maxItems: 1000 }) }),
  reply: Type.Object({ forgotten: Type.Integer() }),
});

export const metricsStream: Stream = {
  name: 'METRICS',
  subjects: ['metrics.v1.event.>'],
  maxAgeMs: 7 * 24 * 3600_000,
  maxBytes: 1024 ** 3,
  duplicateWindowMs: 120_000,
};

/** How the search site reports over the bus, with the schema and rules of HTTP. */
export const metricsReported: Event<Static<typeof MetricsBatch>> = {
  subject: 'metrics.v1.event.reported',
  stream: metricsStream.name,
  summary: 'Views, applications and click-throughs to count',
  payload: MetricsBatch,
};
