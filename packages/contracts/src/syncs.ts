import { type Static, Type } from 'typebox';
import { operationsOf } from './define.ts';
import { Int32, NoParams, Nullable, OneOf, Text } from './fields.ts';
import { BatchedJob, JobBatch } from './job-batch.ts';
import { Reference } from './job-body.ts';
import { CompanyId } from './resources.ts';

const operation = operationsOf('jobs');
const ById = Type.Object({ id: Int32() });

/** How many jobs a sync lists by name. */
export const SYNC_JOBS_LISTED = 1000;

export const NewSync = Type.Object({
  company: Reference,
  scope: Type.Optional(
    Nullable(Text(50), {
      description:
        'The beginning of every referenceId of this sync. Other jobs of the company are left alone. By default the sync is about all jobs with a referenceId.',
      examples: ['GD-'],
    }),
  ),
});
export type NewSync = Static<typeof NewSync>;

export const SyncCommit = Type.Object({
  expectedCount: Type.Integer({
    minimum: 0,
    maximum: 10_000_000,
    description: 'How many different referenceIds were sent, those of refused items included.',
  }),
  missing: OneOf(['close', 'delete', 'keep'], {
    description: 'What becomes of the jobs that were not sent.',
  }),
  maxMissingPercent: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      default: 20,
      description:
        'Which percentage may be missing of the jobs that existed before the sync: of the open ones for `close`, of all for `delete`. Not for `keep`.',
    }),
  ),
});
export type SyncCommit = Static<typeof SyncCommit>;

/** A job that a sync did not have. */
export const SyncedJob = Type.Object({
  id: Int32(),
  referenceId: Text(50),
  outcome: OneOf(['missing', 'closed', 'deleted', 'kept', 'leftAlone'], {
    description:
      '`missing`: still to be closed or deleted. `leftAlone`: it changed after the start of the sync, or it breaks a rule and could not be closed.',
  }),
});
export type SyncedJob = Static<typeof SyncedJob>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

/** The report of a sync. */
export const Sync = Type.Object({
  id: Int32(),
  company: CompanyId,
  scope: Nullable(Text(50)),
  state: OneOf(['open', 'committing', 'committed', 'expired'], {
    description:
      '`open`: takes items. `committing`: decided; jobs are being closed or deleted. `expired`: it was not committed in time, and closed nothing.',
  }),
  startedAt: Type.String({ format: 'date-time' }),
  endsAt: Type.String({ format: 'date-time', description: 'From then on it takes no items and no commit.' }),
  sent: Count('Different referenceIds so far: the sum of the next four.'),
  created: Count('Jobs that the items created.'),
  updated: Count('Jobs that they changed.'),
  unchanged: Count('Jobs that they found as they are.'),
  refused: Count('ReferenceIds whose items were all refused. Their jobs are not missing.'),
  missing: Count('Jobs that are still to be closed or deleted.'),
  closed: Count('Jobs that were not sent, and were closed.'),
  deleted: Count('Jobs that were not sent, and were deleted.'),
  kept: Count('Jobs that were not sent, and stay.'),
  leftAlone: Count(
    'Jobs that were not sent, and stay because they changed after the start of the sync, or because they break a rule and could not be closed.',
  ),
  jobs: Type.Array(SyncedJob, {
    maxItems: SYNC_JOBS_LISTED,
    description: `The jobs that were not sent, by referenceId: the first ${SYNC_JOBS_LISTED}, once it is committed.`,
  }),
});
export type Sync = Static<typeof Sync>;

export const startSync = operation('syncs.start', {
  summary: 'Start a full sync',
  params: NoParams,
  body: NewSync,
  reply: Sync,
  errors: ['company_forbidden'],
  takesIdempotencyKey: true,
});

export const addSyncItems = operation('syncs.items', {
  summary: 'Create or change jobs as part of a sync',
  params: ById,
  body: JobBatch,
  reply: Type.Array(BatchedJob),
  errors: ['sync_not_found', 'sync_ended'],
  collectsViolations: true,
  takesIdempotencyKey: true,
});

export const commitSync = operation('syncs.commit', {
  summary: 'End a sync, and close or delete the jobs that were not sent',
  params: ById,
  body: SyncCommit,
  reply: Sync,
  errors: ['sync_not_found', 'sync_ended', 'sync_refused'],
  takesIdempotencyKey: true,
});

export const getSync = operation('syncs.get', {
  summary: 'Read the report of a sync',
  params: ById,
  body: undefined,
  reply: Sync,
  errors: ['sync_not_found'],
});
