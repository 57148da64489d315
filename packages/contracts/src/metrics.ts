import { type Static, Type } from 'typebox';
import { operationsOf } from './define.ts';
import { CalendarDate, Int32, NoParams, Nullable, OneOf, Text } from './fields.ts';
import type { Event, Stream } from './operation.ts';

const operation = operationsOf('metrics');

/** The source of counts whose own one is not told apart: a job has too many. No event may name it. */
export const OTHER_SOURCE = 'other';
const SOURCE_MAX = 40;
const SOURCE_PATTERN = '^[a-z0-9._-]+$';

/** Where something happened or came from: one word, which the series of a job tells apart. */
export const Source = Type.String({
  minLength: 1,
  maxLength: SOURCE_MAX,
  pattern: SOURCE_PATTERN,
  not: { const: OTHER_SOURCE },
});

/** Whether events may have this source. */
export const isSource = (text: string): boolean =>
  text.length <= SOURCE_MAX && new RegExp(SOURCE_PATTERN).test(text) && text !== OTHER_SOURCE;

/** Something that happened to a job. The sender chooses `id`; a repeated id never counts twice. */
export const MetricsEvent = Type.Object({
  id: Text(64, {
    description:
      'Unique within its sender, such as a UUID or ULID. The id `application:<id>` of an application event is reserved: the service counts the applications that it receives itself, so such an event is a duplicate.',
    examples: ['01JD4S9X6N'],
  }),
  jobId: Int32(),
  type: OneOf(['view', 'application', 'clickThrough']),
  at: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'When it happened. The series counts it on this day (UTC) unless it is in the future or more than 7 days ago; then, and without it, on the day of receipt.',
    }),
  ),
  source: Type.Optional(
    Nullable(Source, {
      description: `Where it happened: 1 to ${SOURCE_MAX} characters of a-z, 0-9, ".", "_" and "-", such as \`site\` or \`indeed\`. \`${OTHER_SOURCE}\` is reserved: it stands for the sources of a job after its first 50.`,
      examples: ['site'],
    }),
  ),
});
export type MetricsEvent = Static<typeof MetricsEvent>;

/** The most events of a batch. */
export const EVENTS_MAX = 1000;

export const MetricsBatch = Type.Object({
  events: Type.Array(MetricsEvent, { minItems: 1, maxItems: EVENTS_MAX }),
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

const counts = {
  views: Type.Integer({ minimum: 0 }),
  applications: Type.Integer({ minimum: 0 }),
  clickThroughs: Type.Integer({ minimum: 0 }),
};
export const MetricsCounts = Type.Object(counts);
export type MetricsCounts = Static<typeof MetricsCounts>;

/** What happened to a job on one day, by one source. */
export const MetricsRow = Type.Object({
  date: CalendarDate(),
  source: Nullable(Type.String({ maxLength: SOURCE_MAX }), {
    description: `null: the events named none. \`${OTHER_SOURCE}\`: the job has more sources than are told apart.`,
  }),
  ...counts,
});
export type MetricsRow = Static<typeof MetricsRow>;

/** All of one moment: the rows of the series and `outside` add up to `counts`. */
export const JobMetrics = Type.Object({
  from: CalendarDate(),
  to: CalendarDate(),
  interval: OneOf(['day']),
  counts: Type.Object(counts, { description: 'Since the job was created, as on the job.' }),
  outside: Type.Object(counts, {
    description: 'Counted on other days, or before days were told apart.',
  }),
  series: Type.Array(MetricsRow, {
    description: 'By date, then source, null first. Where nothing happened there is no row.',
  }),
});
export type JobMetrics = Static<typeof JobMetrics>;

/** The most days of a series. */
export const SERIES_DAYS_MAX = 366;

/** The caller's keys must grant the job, as for `jobs`. */
export const getJobMetrics = operation('jobs.series.get', {
  summary: "Read a job's counts by day and source",
  params: Type.Object({
    jobId: Int32(),
    from: Type.Optional(
      CalendarDate({ description: 'First day, in UTC. When omitted, 29 days before the last one.' }),
    ),
    to: Type.Optional(
      CalendarDate({
        description: `Last day, in UTC, at most ${SERIES_DAYS_MAX - 1} days after the first one. When omitted, today.`,
      }),
    ),
    interval: Type.Optional(OneOf(['day'], { default: 'day', description: 'How long each row counts.' })),
  }),
  body: undefined,
  reply: JobMetrics,
  errors: ['job_not_found'],
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
