import {
  batchJobs,
  createJob,
  deleteJob,
  deleteJobByReference,
  getJob,
  listJobs,
  putJob,
  updateJob,
} from '@joblisting/contracts';
import { batchedJobs, job, jobBatch, jobHeader, jobReference, newJob } from './examples.ts';
import { BATCH_BYTES_OF_A_PLACE, BATCH_TIMEOUT_MS, type Row } from './row.ts';

const read = { keys: 'keys', scope: 'jobs:read' } as const;
const write = { keys: 'keys', scope: 'jobs:write' } as const;
const tag = 'Jobs';
const location = (id: number) => `/jobs/${id}`;

export const jobRows: readonly Row[] = [
  {
    method: 'GET',
    path: '/jobs',
    name: 'listJobs',
    operation: listJobs,
    access: read,
    tag,
    description:
      'Job headers of one company, sorted by displayDate, newest first. A page past the end is empty.',
    paged: true,
    examples: { parameters: { 'company.id': 1, 'status.id': 1 }, data: [jobHeader] },
  },
  {
    method: 'POST',
    path: '/jobs',
    name: 'createJob',
    operation: createJob,
    access: write,
    tag,
    description:
      'The status follows from publishDate and closeDate. A referenceId that is used already is refused with 409; PUT is the better way where there is one. The `data` of a GET can be sent back.',
    location,
    tagged: true,
    examples: { body: newJob, data: job },
  },
  {
    method: 'PUT',
    path: '/jobs',
    name: 'putJob',
    operation: putJob,
    access: write,
    tag,
    description:
      'Changes the job that has this referenceId and company.id, or creates it. Only the properties sent are changed. With If-Match it never creates.',
    success: 'The updated job.',
    location,
    tagged: true,
    examples: { body: { ...newJob, ...jobReference }, data: job },
  },
  {
    method: 'POST',
    path: '/jobs/batch',
    name: 'batchJobs',
    operation: batchJobs,
    access: write,
    tag,
    description: [
      'Creates or changes up to 500 jobs. Each item is the body of a `PUT /jobs`, and its answer is what that request would have had: `status`, and `data` or `error`, with pointers like `#/items/3/title`. One bad item harms no other. Items may be of several companies. Items are executed in any order, so two with the same referenceId are both refused.',
      'Items that there was no time for have the status 503, and were not executed; 504 says that an item may have been. Send the items with 5xx again, alone or with all the others: items that were executed before are found unchanged. Past 6 MiB of answers, further ones come without `data`, or with no `errors`.',
      'An `Idempotency-Key` keeps the answer unless an item has a status of 5xx. The batch counts as one write against the rate limit.',
    ].join('\n\n'),
    success: 'One answer for each item, in their order.',
    timeoutMs: BATCH_TIMEOUT_MS,
    bytesOfAPlace: BATCH_BYTES_OF_A_PLACE,
    examples: { body: jobBatch, data: batchedJobs },
  },
  {
    method: 'DELETE',
    path: '/jobs',
    name: 'deleteJobByReference',
    operation: deleteJobByReference,
    access: write,
    tag,
    description: 'Deletes the job that has this referenceId and company.id.',
    examples: { body: jobReference },
  },
  {
    method: 'GET',
    path: '/jobs/{id}',
    name: 'getJob',
    operation: getJob,
    access: read,
    tag,
    description: 'One job in full.',
    tagged: true,
    examples: { parameters: { id: job.id }, data: job },
  },
  {
    method: 'PUT',
    path: '/jobs/{id}',
    name: 'updateJob',
    operation: updateJob,
    access: write,
    tag,
    description:
      'Only the properties sent are changed. status.id 2 closes a job, 1 publishes it again, and adjusts the conflicting date, with a warning.',
    success: 'The updated job.',
    tagged: true,
    examples: { parameters: { id: job.id }, body: { status: { id: 2 } }, data: job },
  },
  {
    method: 'DELETE',
    path: '/jobs/{id}',
    name: 'deleteJob',
    operation: deleteJob,
    access: write,
    tag,
    description: 'Deletes the job with its short link and its counts.',
    examples: { parameters: { id: job.id } },
  },
];
