import { type Static, Type } from 'typebox';
import { Instant } from './application-body.ts';
import { Int32 } from './fields.ts';
import { Source } from './metrics.ts';
import type { Event, Stream } from './operation.ts';

export const applicationsStream: Stream = {
  name: 'APPLICATIONS',
  subjects: ['applications.v1.event.>'],
  maxAgeMs: 7 * 24 * 3600_000,
  maxBytes: 256 * 1024 ** 2,
  duplicateWindowMs: 120_000,
};

/** Ids only, and the source where it is one word: the stream outlives an erasure. */
export const ApplicationReceived = Type.Object({
  applicationId: Int32(),
  jobId: Int32(),
  companyId: Int32(),
  at: Instant,
  source: Type.Optional(Source),
});

export type ApplicationReceived = Static<typeof ApplicationReceived>;

export const applicationReceived: Event<ApplicationReceived> = {
  subject: 'applications.v1.event.received',
  stream: applicationsStream.name,
  messageId: 'application:<applicationId>',
  summary: 'An application was received',
  payload: ApplicationReceived,
};

export const CopyFailed = Type.Object({
  applicationId: Int32(),
  jobId: Int32(),
  companyId: Int32(),
  copy: Type.Integer({ description: 'The place of the copy among those of its application, from 0.' }),
  round: Type.Integer({ description: 'How often the copy was queued again before.' }),
  at: Instant,
});

export type CopyFailed = Static<typeof CopyFailed>;

/** Erased with its files: by its company, by the applicant's address, or at the end of its retention. */
export const ApplicationErased = Type.Object({
  applicationId: Int32(),
  jobId: Int32(),
  companyId: Int32(),
  at: Instant,
});

export type ApplicationErased = Static<typeof ApplicationErased>;

export const applicationErased: Event<ApplicationErased> = {
  subject: 'applications.v1.event.erased',
  stream: applicationsStream.name,
  messageId: 'application:<applicationId>:erased',
  summary: 'An application was erased',
  payload: ApplicationErased,
};

export const copyFailed: Event<CopyFailed> = {
  subject: 'applications.v1.event.copy-failed',
  stream: applicationsStream.name,
  messageId: 'application:<applicationId>:copy:<copy>:<round>',
  summary: 'A copy of an application could not be delivered, and is not tried again',
  payload: CopyFailed,
};
