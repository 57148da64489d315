import { type Static, Type } from 'typebox';
import { Instant, Submission } from './application-body.ts';
import { operationsOf } from './define.ts';
import { Int32, NoParams, Nullable, OneOf, Text } from './fields.ts';
import { CompanyId } from './resources.ts';

export * from './application-events.ts';

const operation = operationsOf('applications');

/** The states of an e-mail copy. `failed` is final; `deferred` has a next attempt. */
export const copyStates = ['queued', 'sent', 'deferred', 'failed'] as const;
export const CopyState = OneOf(copyStates);

/** The results of a virus scan. `none`: no scanner is configured. */
export const scanResults = ['none', 'pending', 'clean', 'infected'] as const;

/** The job as it was when the application came. */
export const JobOfApplication = Type.Object({
  id: Int32(),
  referenceId: Nullable(Text(50)),
  title: Type.String({ maxLength: 256 }),
});

export const Applicant = Type.Object({
  name: Type.String({ maxLength: 256 }),
  email: Type.String({ maxLength: 256 }),
  phone: Nullable(Type.String({ maxLength: 64 })),
  location: Nullable(Type.String({ maxLength: 256 })),
});

export const AnsweredQuestion = Type.Object({ question: Type.String(), answer: Type.String() });

const headerFields = {
  id: Int32(),
  job: JobOfApplication,
  company: CompanyId,
  referenceId: Nullable(Text(64)),
  receivedAt: Instant,
  applicant: Applicant,
  source: Nullable(Type.String({ maxLength: 64 })),
  consentAt: Nullable(Instant),
  previousApplicationId: Nullable(Int32(), {
    description: 'An earlier application of the same e-mail address for the same job.',
  }),
};

/** An element of the list of applications. */
export const ApplicationHeader = Type.Object(headerFields);
export type ApplicationHeader = Static<typeof ApplicationHeader>;

export const ApplicationFile = Type.Object({
  id: Int32(),
  name: Type.String(),
  type: Type.String({ maxLength: 128 }),
  size: Type.Integer({ description: 'In bytes.' }),
  scan: OneOf(scanResults),
});
export type ApplicationFile = Static<typeof ApplicationFile>;

export const ApplicationCopy = Type.Object({
  email: Type.String({ maxLength: 256 }),
  state: CopyState,
  attempts: Type.Integer(),
  lastAttemptAt: Nullable(Instant),
  nextAttemptAt: Nullable(Instant, {
    description: 'While it is being sent: when it is tried again unless that attempt ends before.',
  }),
  response: Nullable(Type.String(), { description: 'What the mail server said last, or why it failed.' }),
});
export type ApplicationCopy = Static<typeof ApplicationCopy>;

const receivedFields = {
  ...headerFields,
  coverLetter: Nullable(Type.String()),
  answers: Type.Array(AnsweredQuestion),
  files: Type.Array(ApplicationFile),
};

/** An application as its sender sees it: whom the company tells by e-mail is not the sender's business. */
export const ReceivedApplication = Type.Object(receivedFields);
export type ReceivedApplication = Static<typeof ReceivedApplication>;

/** An application as its company sees it. */
export const Application = Type.Object({ ...receivedFields, copies: Type.Array(ApplicationCopy) });
export type Application = Static<typeof Application>;

export const ErasedApplications = Type.Object({ erased: Type.Integer() });

export const CopiesRequest = Type.Object({
  to: Type.Optional(
    OneOf(['failed', 'all'], { default: 'failed', description: 'Those that failed, or all.' }),
  ),
});

const ById = Type.Object({ id: Int32() });

/**
 * Replies after record, files and copies are durable. The same `referenceId` again, or the same content within a minute,
 * replies with the first application. `contentType` is `application/json` unless given.
 */
export const createApplication = operation('create', {
  summary: 'Hand in an application for a job',
  params: Type.Object({ jobId: Int32(), contentType: Type.Optional(Type.String({ maxLength: 512 })) }),
  body: Submission,
  reply: ReceivedApplication,
  errors: [
    'job_not_found',
    'job_not_open',
    'applications_not_collected',
    'malformed_multipart',
    'application_not_found',
  ],
  collectsViolations: true,
  takesIdempotencyKey: true,
});

export const listApplications = operation('list', {
  summary: 'List application headers, newest first',
  params: Type.Object({
    'company.id': Int32({ description: 'Company whose applications are listed.' }),
    'job.id': Type.Optional(Int32({ description: 'Only those for this job.' })),
    status: Type.Optional(OneOf(copyStates, { description: 'Only those with a copy in this state.' })),
    pageSize: Type.Optional(
      Int32({ minimum: 1, maximum: 1000, default: 50, description: 'Records per page.' }),
    ),
    page: Type.Optional(Int32({ minimum: 1, default: 1, description: 'Page to return.' })),
  }),
  body: undefined,
  reply: Type.Array(ApplicationHeader),
  errors: ['company_forbidden'],
});

export const getApplication = operation('get', {
  summary: 'Read one application',
  params: ById,
  body: undefined,
  reply: Application,
  errors: ['application_not_found'],
});

/** Its reply is the bytes of the file, with its name and media type beside them. */
export const getApplicationFile = operation('files.get', {
  summary: 'Download a file of an application',
  params: Type.Object({ id: Int32(), fileId: Int32() }),
  body: undefined,
  reply: undefined,
  errors: ['application_not_found', 'file_not_found', 'file_not_scanned'],
});

export const deleteApplication = operation('delete', {
  summary: 'Erase one application, with its files and waiting copies',
  params: ById,
  body: undefined,
  reply: undefined,
  errors: ['application_not_found'],
});

export const eraseApplicant = operation('erase', {
  summary: 'Erase all applications of one person in a company',
  params: Type.Object({
    'company.id': Int32({ description: 'Company whose applications are erased.' }),
    // A `+` that was sent unencoded arrives as a space: better refused than nothing erased.
    email: Type.String({ format: 'email-address', maxLength: 256, description: 'Of the applicant.' }),
  }),
  body: undefined,
  reply: ErasedApplications,
  errors: ['company_forbidden'],
});

export const queueCopies = operation('copies.queue', {
  summary: 'Queue the e-mail copies to be sent again',
  params: ById,
  body: CopiesRequest,
  reply: Type.Array(ApplicationCopy),
  errors: ['application_not_found'],
  takesIdempotencyKey: true,
});

export const RETENTION_DAYS_MAX = 3650;

/** For operators: for how many days a company's applications are kept. null: the service's setting. */
export const setRetention = operation('retention.set', {
  summary: "Set how long a company's applications are kept",
  params: NoParams,
  body: Type.Object({
    companyId: Int32(),
    days: Nullable(Type.Integer({ minimum: 1, maximum: RETENTION_DAYS_MAX })),
  }),
  reply: Type.Object({ days: Nullable(Type.Integer()) }),
  errors: ['company_not_found'],
});

/** For `accounts`, before it deletes a company. */
export const countApplications = operation('company.count', {
  summary: "Count a company's applications",
  params: NoParams,
  body: Type.Object({ companyId: Int32() }),
  reply: Type.Object({ applications: Type.Integer() }),
});
