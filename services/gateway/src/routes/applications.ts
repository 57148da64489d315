import {
  createApplication,
  deleteApplication,
  eraseApplicant,
  FILES_MAX,
  getApplication,
  getApplicationFile,
  listApplications,
  NewApplication,
  queueCopies,
} from '@joblisting/contracts';
import {
  application,
  applicationCopy,
  applicationHeader,
  job,
  newApplication,
  receivedApplication,
} from './examples.ts';
import type { Row } from './row.ts';

const read = { keys: 'keys', scope: 'applications:read' } as const;
const write = { keys: 'keys', scope: 'applications:write' } as const;
const tag = 'Applications';

/** 5 MiB of files, the JSON, and the headers of the parts. One bus message carries it. */
const BODY_LIMIT = 6 * 1024 * 1024;

const multipartBody = {
  type: 'object',
  required: ['application'],
  additionalProperties: false,
  properties: {
    application: NewApplication,
    file: {
      type: 'array',
      maxItems: FILES_MAX,
      description:
        'One part for each file, with a file name; 5 MiB in all. PDF, DOC, DOCX, ODT, RTF, TXT, PNG or JPEG by their bytes, whatever the name says.',
      items: { type: 'string', format: 'binary' },
    },
  },
};

export const applicationRows: readonly Row[] = [
  {
    method: 'POST',
    path: '/jobs/{jobId}/applications',
    name: 'createApplication',
    operation: createApplication,
    access: { keys: 'consumer', scope: 'applications:write' },
    tag,
    description: [
      'Takes an application for a Published job with routing Default, as JSON, or as `multipart/form-data` with up to 5 files. The server of the search site sends it: a browser must not have the key. 201 means that the application, its files and one e-mail copy for each of the `applicationEmails` are stored; losing a machine loses none of them.',
      'Sending it again is safe. The same `referenceId` for the same job answers 200 with the first application, at any time; without one, so does the same content from the same e-mail address within 60 seconds, such as a double click. Anything else is a new application, and names an earlier one of the same address in `previousApplicationId`. An `Idempotency-Key` works as everywhere; a repeated multipart body may have another boundary.',
      'The application is counted in `applicationCount`, once. A search site that hands applications in here need not report them to `/metrics/events` as well. If it does, under the event id `application:<id>` with the id of the application, it is still counted once.',
    ].join('\n\n'),
    location: (id) => `/applications/${id}`,
    findsExisting: true,
    bodyLimit: BODY_LIMIT,
    content: {
      'application/json': { shown: { schema: NewApplication, example: newApplication } },
      'multipart/form-data': {
        shown: {
          schema: multipartBody,
          example: { application: newApplication },
          encoding: { application: { contentType: 'application/json' } },
        },
      },
    },
    examples: { parameters: { jobId: job.id }, body: newApplication, data: receivedApplication },
  },
  {
    method: 'GET',
    path: '/applications',
    name: 'listApplications',
    operation: listApplications,
    access: read,
    tag,
    description:
      'Application headers of one company, newest first; `status=failed` finds those with an e-mail copy that could not be delivered. Applications for a job that is deleted stay until their retention ends. A page past the end is empty.',
    paged: true,
    examples: { parameters: { 'company.id': 1, 'job.id': job.id }, data: [applicationHeader] },
  },
  {
    method: 'DELETE',
    path: '/applications',
    name: 'eraseApplicant',
    operation: eraseApplicant,
    access: write,
    tag,
    description:
      'Erases every application of one e-mail address in one company: records, files and copies that wait to be sent. The answer says how many there were; sent again, it is 0. `applicationCount` of the jobs stays. Copies that were sent before, or are being sent at that moment, are in the mailboxes of their recipients. In the query, `+` must be sent as `%2B`.',
    success: 'How many applications were erased.',
    examples: {
      parameters: { 'company.id': 1, email: newApplication.applicant.email },
      data: { erased: 1 },
    },
  },
  {
    method: 'GET',
    path: '/applications/{id}',
    name: 'getApplication',
    operation: getApplication,
    access: read,
    tag,
    description:
      'One application in full, with its files and the state of each e-mail copy: `queued`, `sent` with what the mail server replied, `deferred` with the time of the next attempt, or `failed` with the reason.',
    examples: { parameters: { id: application.id }, data: application },
  },
  {
    method: 'DELETE',
    path: '/applications/{id}',
    name: 'deleteApplication',
    operation: deleteApplication,
    access: write,
    tag,
    description:
      "Erases the application with its files and the copies that wait to be sent. The job's `applicationCount` stays.",
    examples: { parameters: { id: application.id } },
  },
  {
    method: 'GET',
    path: '/applications/{id}/files/{fileId}',
    name: 'getApplicationFile',
    operation: getApplicationFile,
    access: read,
    tag,
    description:
      'The bytes of a file, always as an attachment. Where files are scanned for viruses, 409 `file_not_scanned` until that is done; an infected file is removed, and the application says so.',
    answersFile: true,
    tagged: true,
    examples: { parameters: { id: application.id, fileId: application.files[0]?.id } },
  },
  {
    method: 'POST',
    path: '/applications/{id}/copies',
    name: 'queueCopies',
    operation: queueCopies,
    access: write,
    tag,
    description: [
      'Sends the e-mail copies that failed once more, or with `{"to":"all"}` every one of them. No body is the same as `{}`. The answer comes before they are sent; their states are in the application.',
      'A copy is sent at least once: where the mail server took it and the connection or a machine failed before that was noted, it is sent again. Every attempt of a copy has the same `Message-ID`, by which mailboxes and programs recognise it.',
    ].join('\n\n'),
    success: 'All copies of the application, with their states.',
    bodyOptional: true,
    examples: { parameters: { id: application.id }, body: { to: 'failed' }, data: [applicationCopy] },
  },
];
