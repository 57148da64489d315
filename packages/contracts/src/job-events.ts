import { type Static, Type } from 'typebox';
import { Int32, OneOf } from './fields.ts';
import type { Event, Stream } from './operation.ts';

export const jobsStream: Stream = {
  name: 'JOBS',
  subjects: ['jobs.v1.event.>'],
  maxAgeMs: 7 * 24 * 3600_000,
  maxBytes: 1024 ** 3,
  duplicateWindowMs: 120_000,
};

/** Who requested the change; absent for changes by the clock or a background task. */
const RequestedBy = Type.Object({
  consumerId: Type.Integer(),
  userId: Type.Union([Type.Integer(), Type.Null()]),
});

/** The payload of job events. Each version of a job, from 1, has one event. */
export const JobChanged = Type.Object({
  jobId: Int32(),
  companyId: Int32(),
  /** Absent without a reference, and for changes by the clock. */
  referenceId: Type.Optional(Type.String()),
  version: Type.Integer(),
  /** The status after the change. */
  statusId: OneOf([1, 2, 3, 5]),
  /** When the change took effect: for changes by the clock, noon of the date. */
  at: Type.String({ format: 'date-time' }),
  /** The names of the changed properties. */
  fields: Type.Optional(Type.Array(Type.String())),
  requestedBy: Type.Optional(RequestedBy),
  requestId: Type.Optional(Type.String()),
});
export type JobChanged = Static<typeof JobChanged>;

/** Delivery is at least once, in any order: the later event of a job has the higher `version`. */
const jobEvent = (name: string, summary: string): Event<JobChanged> => ({
  subject: `jobs.v1.event.${name}`,
  stream: jobsStream.name,
  messageId: 'job:<jobId>:<version>',
  summary,
  payload: JobChanged,
});

export const jobCreated = jobEvent('created', 'A job was created, with the status that it says');
export const jobUpdated = jobEvent('updated', 'A job changed, but did not become Published or Closed');
export const jobPublished = jobEvent('published', 'A job became Published after it was created');
export const jobClosed = jobEvent('closed', 'A job became Closed after it was created');
/** Its version is one above the last version of the job. */
export const jobDeleted = jobEvent('deleted', 'A job was deleted');
