import type { ApplicationHeader } from './openapi.ts';
import type { Body, Query } from './operations.ts';
import type { CreateOptions, RequestOptions, UploadedFile } from './request.ts';
import { type Answer, elementsOf, type Page, type Transport } from './transport.ts';

export function applicationsOf({ send, sendForPage, sendForFile }: Transport) {
  const page = (
    query: Query<'listApplications'>,
    options: RequestOptions = {},
  ): Promise<Page<ApplicationHeader>> => sendForPage('listApplications', { query }, options);
  return {
    /** Hands in an application for a job, as a search site does: it needs no user key. */
    create: (
      jobId: number,
      application: Body<'createApplication'>,
      files: readonly UploadedFile[] = [],
      options: CreateOptions = {},
    ) => send('createApplication', { path: { jobId }, body: application, files }, options),
    get: (id: number, options: RequestOptions = {}) => send('getApplication', { path: { id } }, options),
    /** The bytes of a file, with its media type. */
    file: (id: number, fileId: number, options: RequestOptions = {}): Promise<Answer<Blob>> =>
      sendForFile('getApplicationFile', { path: { id, fileId } }, options),
    delete: (id: number, options: RequestOptions = {}) =>
      send('deleteApplication', { path: { id } }, options),
    /** Erases everything that an applicant sent to a company. */
    eraseApplicant: (query: Query<'eraseApplicant'>, options: RequestOptions = {}) =>
      send('eraseApplicant', { query }, options),
    /** Queues the e-mail copies again: those that failed, or all. */
    queueCopies: (id: number, body?: Body<'queueCopies'>, options: CreateOptions = {}) =>
      send('queueCopies', { path: { id }, body }, options),
    /** One page of application headers. */
    page,
    /** The application headers of all pages, newest first. */
    list: (query: Query<'listApplications'>, options: RequestOptions = {}) =>
      elementsOf((number) => page({ ...query, page: number }, options), query.page),
  };
}
