import { type Static, Type } from 'typebox';
import { Instant } from './application-body.ts';
import { operationsOf } from './define.ts';
import { Int32, OneOf, Text } from './fields.ts';
import type { Event } from './operation.ts';
import { ChangedJob, CompanyId, JobStatus } from './resources.ts';

const operation = operationsOf('events');

/** The types of events. Releases add some. */
export const loggedTypes = [
  'job.created',
  'job.updated',
  'job.published',
  'job.closed',
  'job.deleted',
  'application.received',
  'application.erased',
  'application.copy_failed',
  'category.created',
  'category.renamed',
  'category.deleted',
  'webhook.disabled',
  'webhook.events_lost',
] as const;
export type LoggedType = (typeof loggedTypes)[number];

/** An event of the change log. It has no description of a job, and nothing of an applicant. */
export const LoggedEvent = Type.Object({
  id: Type.String({ description: 'Names the event: an event that comes twice has the same id.' }),
  seq: Type.Integer({ description: 'The number of the event in the log of its company, without gaps.' }),
  type: Type.Unsafe<LoggedType>({
    type: 'string',
    examples: ['job.closed'],
    description: `${loggedTypes.map((type) => `\`${type}\``).join(', ')}. Releases may add some.`,
  }),
  at: Instant,
  company: CompanyId,
  job: Type.Optional(
    Type.Object(
      {
        id: Int32(),
        referenceId: Type.Optional(Type.String({ maxLength: 50 })),
        version: Type.Optional(
          Type.Integer({ description: 'Of events of the job: its version after the change.' }),
        ),
      },
      { description: 'Of events of jobs and applications.' },
    ),
  ),
  data: Type.Object({
    status: Type.Optional(JobStatus),
    fields: Type.Optional(
      Type.Array(Type.String(), { description: 'The names of the properties that changed.' }),
    ),
    application: Type.Optional(
      Type.Object({
        id: Int32(),
        copy: Type.Optional(
          Type.Integer({ description: 'Of a copy that failed: its place among the copies, from 0.' }),
        ),
      }),
    ),
    category: Type.Optional(Type.Object({ id: Int32(), name: Type.String({ maxLength: 50 }) })),
    webhook: Type.Optional(
      Type.Object({
        id: Int32(),
        reason: Type.Optional(Type.String({ description: 'Of one that was disabled: `gone` or `failing`.' })),
      }),
    ),
  }),
});
export type LoggedEvent = Static<typeof LoggedEvent>;

const DeletedJob = Type.Object({ id: Int32(), deleted: Type.Literal(true) });

/**
 * An element of the list of changes: a job as it is now, or that it does not exist any more. One object for both, because
 * generators of clients make nothing of an object with choices.
 */
export const JobChange = Type.Unsafe<JobChange>(
  Type.Object({
    ...Type.Partial(ChangedJob).properties,
    id: Int32(),
    deleted: Type.Optional(
      Type.Boolean({
        description: '`true` of a job that does not exist any more; then only its id is there.',
      }),
    ),
  }),
);
export type JobChange = ChangedJob | Static<typeof DeletedJob>;

export const EVENTS_PAGE_MAX = 1000;
/** The longest `wait` of a request for events. */
export const WAIT_MAX_SECONDS = 25;

const after = (start: string) =>
  Type.Optional(Text(100, { description: `A cursor: the \`paging.next\` of another answer. ${start}` }));
const limit = Type.Optional(
  Int32({
    minimum: 1,
    maximum: EVENTS_PAGE_MAX,
    default: 100,
    description: 'The most elements of the answer.',
  }),
);

export const listEvents = operation('list', {
  summary: 'Read the change log of a company, oldest first',
  params: Type.Object({
    'company.id': Int32({ description: 'Company whose events are read.' }),
    after: after('Without it, the log begins at the oldest event that is kept.'),
    limit,
    wait: Type.Optional(
      Int32({
        minimum: 0,
        maximum: WAIT_MAX_SECONDS,
        default: 0,
        description: 'Where nothing is new, how many seconds to wait for an event before answering.',
      }),
    ),
    format: Type.Optional(OneOf(['json', 'ndjson'])),
  }),
  body: undefined,
  reply: Type.Array(LoggedEvent),
  errors: ['company_forbidden', 'cursor_expired'],
});

export const listJobChanges = operation('job-changes.list', {
  summary: 'Read all jobs of a company, and then which of them changed',
  params: Type.Object({
    'company.id': Int32({ description: 'Company whose jobs are read.' }),
    after: after('Without it, the answer begins with all jobs.'),
    limit,
  }),
  body: undefined,
  reply: Type.Array(JobChange),
  errors: ['company_forbidden', 'cursor_expired'],
});

const EventsLogged = Type.Object({ companyIds: Type.Array(Int32()) });

/** For replicas of `events` with requests that wait. A request that misses it answers at the end of its wait. */
export const eventsLogged: Event<Static<typeof EventsLogged>> = {
  subject: 'events.v1.event.logged',
  stream: '',
  summary: 'The logs of these companies have new events',
  payload: EventsLogged,
};
