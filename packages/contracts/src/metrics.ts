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

/** Codes of rejected events, with their meanings. */
export const rejectionMeanings = {
  unknown_job: 'The job does not exist, or was deleted.',
  invalid_event:
    'The event breaks its schema, or its line is not JSON; the pointer leads to the first fault. Correct it and send it again.',
} as const;
export type RejectionCode = keyof typeof rejectionMeanings;

/** The code is an open enumeration: the service hands the answer on, and clients find the event by its index. */
export const RejectedEvent = Type.Object({
  index: Type.Integer({ description: 'Its place in the batch, from 0. Blank lines of NDJSON do not count.' }),
  code: Type.Unsafe<RejectionCode>({
    type: 'string',
    enum: Object.keys(rejectionMeanings),
    'x-open-enum': true,
  }),
  pointer: Type.Optional(
    Type.String({ description: 'JSON Pointer to the first fault of an `invalid_event`.', pattern: '^#' }),
  ),
  detail: Type.String(),
});
export type RejectedEvent = Static<typeof RejectedEvent>;

export const MetricsReceipt = Type.Object({
  accepted: Type.Integer(),
  duplicates: Type.Integer(),
  rejected: Type.Array(RejectedEvent),
});
export type MetricsReceipt = Static<typeof MetricsReceipt>;

/**
 * Replies only after the accepted events are durable. An event that breaks the schema is rejected by itself, so the
 * schema refuses a body only where it has no usable list.
 */
export const recordEvents = operation('events.record', {
  summary: 'Count views, applications and click-throughs',
  params: Type.Object({ format: Type.Optional(OneOf(['json', 'ndjson'])) }),
  body: MetricsBatch,
  reply: MetricsReceipt,
  collectsViolations: true,
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
