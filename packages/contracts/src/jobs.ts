import { Type } from 'typebox';
import { operationsOf } from './define.ts';
import { Int32, NoParams, Nullable, OneOfNamed, Text } from './fields.ts';
import { BatchedJob, JobBatch } from './job-batch.ts';
import { JobByReference, JobChanges, JobReference, NewJob } from './job-body.ts';
import {
  ApplicationTarget,
  ChangedJob,
  Job,
  JobHeader,
  JobType,
  PublicJob,
  statusNames,
} from './resources.ts';

export * from './job-events.ts';
export * from './syncs.ts';

const operation = operationsOf('jobs');

/** `any` is If-Match: *; `versions` are the version parts of the entity tags sent (API decisions, "ETag"). */
export const IfMatch = Type.Object({ any: Type.Boolean(), versions: Type.Array(Type.Integer()) });

/** An owner that does not know it would write: deploy the owner before the gateway. */
const dryRun = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      '`true`: judge the request and answer as usual, but write nothing. The answer has `Dry-Run: true`, and no ETag or Location. A job or category that does not exist yet has the id 0, and such a job a `url` that leads nowhere. An Idempotency-Key is not used up.',
  }),
);
const ById = Type.Object({ id: Int32() });
const ByIdIfMatch = Type.Object({ id: Int32(), ifMatch: Type.Optional(IfMatch) });
const ByReferenceIfMatch = Type.Object({ ifMatch: Type.Optional(IfMatch) });

export const getJob = operation('get', {
  summary: 'Read one job',
  params: ById,
  body: undefined,
  reply: Job,
  errors: ['job_not_found'],
});

export const createJob = operation('create', {
  summary: 'Create a job',
  params: Type.Object({ dryRun }),
  body: NewJob,
  reply: Job,
  errors: ['company_forbidden', 'reference_id_taken', 'category_limit', 'description_too_large'],
  collectsViolations: true,
  takesIdempotencyKey: true,
});

export const updateJob = operation('update', {
  summary: 'Change the properties sent of the job with this id',
  params: Type.Object({ ...ByIdIfMatch.properties, dryRun }),
  body: JobChanges,
  reply: Job,
  errors: [
    'company_forbidden',
    'job_not_found',
    'version_mismatch',
    'reference_id_taken',
    'category_limit',
    'description_too_large',
  ],
});

export const putJob = operation('put', {
  summary: 'Create or change the job with this referenceId and company.id',
  params: Type.Object({ ...ByReferenceIfMatch.properties, dryRun }),
  body: JobByReference,
  reply: Job,
  errors: ['company_forbidden', 'category_limit', 'version_mismatch', 'description_too_large'],
  collectsViolations: true,
});

/** An item that breaks the schema is refused by itself, so the schema refuses a body only where it has no usable list. */
export const batchJobs = operation('batch', {
  summary: 'Create or change many jobs by referenceId and company.id',
  params: Type.Object({ dryRun }),
  body: JobBatch,
  reply: Type.Array(BatchedJob),
  collectsViolations: true,
  takesIdempotencyKey: true,
});

export const deleteJob = operation('delete', {
  summary: 'Delete the job with this id',
  params: ByIdIfMatch,
  body: undefined,
  reply: undefined,
  errors: ['job_not_found', 'version_mismatch'],
});

export const deleteJobByReference = operation('delete-by-reference', {
  summary: 'Delete the job with this referenceId and company.id',
  params: ByReferenceIfMatch,
  body: JobReference,
  reply: undefined,
  errors: ['company_forbidden', 'job_not_found', 'version_mismatch'],
});

export const listJobs = operation('list', {
  summary: 'List job headers, newest displayDate first',
  params: Type.Object({
    'company.id': Int32({ description: 'Company whose jobs are listed.' }),
    'status.id': Type.Optional(
      OneOfNamed([1, 2, 3, 5], statusNames, 'When omitted, all statuses are returned. '),
    ),
    referenceId: Type.Optional(
      Text(50, { description: "The company's own identifier of the job: at most one job has it." }),
    ),
    pageSize: Type.Optional(
      Int32({ minimum: 1, maximum: 1000, default: 50, description: 'Records per page.' }),
    ),
    page: Type.Optional(Int32({ minimum: 1, default: 1, description: 'Page to return.' })),
  }),
  body: undefined,
  reply: Type.Array(JobHeader),
  errors: ['company_forbidden'],
});

export const listJobTypes = operation('types.list', {
  summary: 'List the job types',
  params: NoParams,
  body: undefined,
  reply: Type.Array(JobType),
});

/** For `applications`: whether a job takes applications now, and who gets copies. The caller needs no company. */
export const getApplicationTarget = operation('application-target.get', {
  summary: 'Read where applications for a job go',
  params: ById,
  body: undefined,
  reply: ApplicationTarget,
  errors: ['job_not_found'],
});

/**
 * For `site`: the jobs that are Published now, in order of id, as many as fit into one reply. `next` is the id to go on
 * after; null at the end. Of `ids`, jobs up to `next` that are missing in the reply are not Published.
 */
export const readPublicJobs = operation('public.read', {
  summary: 'Read published jobs as the public may see them',
  params: NoParams,
  body: Type.Object({
    ids: Type.Optional(Type.Array(Int32(), { maxItems: 1000 })),
    companyId: Type.Optional(Int32()),
    after: Type.Optional(Int32({ minimum: 0 })),
  }),
  reply: Type.Object({ jobs: Type.Array(PublicJob), next: Nullable(Int32()) }),
});

/**
 * For `events`: the present headers of jobs in order of id, of one company or of any: of `ids`, or of those after
 * `after`. Jobs that do not exist are left out.
 */
export const readJobHeaders = operation('headers.read', {
  summary: 'Read the present headers of jobs',
  params: NoParams,
  body: Type.Object({
    companyId: Type.Optional(Int32()),
    ids: Type.Optional(Type.Array(Int32(), { maxItems: 1000 })),
    after: Type.Optional(Int32({ minimum: 0 })),
    limit: Type.Optional(Int32({ minimum: 1, maximum: 1000, default: 1000 })),
  }),
  reply: Type.Object({ jobs: Type.Array(ChangedJob) }),
});

/** For `metrics` and `shortlink`: which of these jobs exist. */
export const findExistingJobs = operation('existing.find', {
  summary: 'Find which of these jobs exist',
  params: NoParams,
  body: Type.Object({ ids: Type.Array(Int32(), { maxItems: 10_000 }) }),
  reply: Type.Object({ ids: Type.Array(Int32()) }),
});

/** For `metrics`: whether the caller may read a job. Any other job looks as if it did not exist. */
export const checkJobAccess = operation('access.check', {
  summary: 'Check that the keys of the caller grant a job',
  params: ById,
  body: undefined,
  reply: undefined,
  errors: ['job_not_found'],
});

/** For `metrics`: sends absolute totals. The larger total wins, so order and repetition do not matter. */
export const applyCounts = operation('counts.apply', {
  summary: 'Raise the counts of jobs to these totals',
  params: NoParams,
  body: Type.Object({
    counts: Type.Array(
      Type.Object({ jobId: Int32(), view: Int32(), application: Int32(), clickThrough: Int32() }),
      { maxItems: 10_000 },
    ),
  }),
  reply: Type.Object({ unknown: Type.Array(Int32()) }),
});

/** For `categories`: the categories of a company's Published jobs, current after each write. */
export const findActiveCategories = operation('categories.active', {
  summary: "Find the categories of a company's published jobs",
  params: NoParams,
  body: Type.Object({ companyId: Int32() }),
  reply: Type.Object({ ids: Type.Array(Int32()) }),
});

/** For `categories`: sets the name on every job. A lower `version` than one already applied is ignored. */
export const renameCategoryOnJobs = operation('categories.rename', {
  summary: 'Show the new name of a category on every job that has it',
  params: NoParams,
  body: Type.Object({ categoryId: Int32(), name: Type.String(), version: Type.Integer() }),
  reply: Type.Object({ jobs: Type.Integer() }),
});

/** For `accounts`: sets the company's name on every job of it. */
export const renameCompanyOnJobs = operation('company.rename', {
  summary: 'Show the new name of a company on its jobs',
  params: NoParams,
  body: Type.Object({ companyId: Int32(), name: Type.String() }),
  reply: Type.Object({ jobs: Type.Integer() }),
});

/** For `accounts`, before it deletes a company. */
export const countJobs = operation('company.count', {
  summary: "Count a company's jobs in every status",
  params: NoParams,
  body: Type.Object({ companyId: Int32() }),
  reply: Type.Object({ jobs: Type.Integer() }),
});

/** For the sweep of `categories`: the categories of these jobs now, without deleted jobs. */
export const findHeldCategories = operation('categories.held', {
  summary: 'Find the categories of these jobs',
  params: NoParams,
  body: Type.Object({ jobIds: Type.Array(Int32(), { maxItems: 1000 }) }),
  reply: Type.Array(
    Type.Object({ jobId: Int32(), version: Type.Integer(), categoryIds: Type.Array(Int32()) }),
  ),
});

/** For operators, after something else than this service changed jobs in the database. */
export const recountJobs = operation('totals.recount', {
  summary: "Recount a company's jobs for the totals of its lists",
  params: NoParams,
  body: Type.Object({ companyId: Int32() }),
  reply: Type.Object({ corrected: Type.Boolean({ description: 'The totals were wrong before.' }) }),
});
