import { changesOf } from './events.ts';
import type { JobHeader } from './openapi.ts';
import type { Body, Data, Query } from './operations.ts';
import type { ChangeOptions, CreateOptions, ReadOptions, RequestOptions } from './request.ts';
import { type Answer, elementsOf, type Page, type Transport } from './transport.ts';

type Job = Data<'getJob'>;

/** Reads one resource. With `ifNoneMatch` the answer may have no data. */
export interface Get<T> {
  (id: number, options?: RequestOptions & { readonly ifNoneMatch?: undefined }): Promise<Answer<T>>;
  (id: number, options: ReadOptions): Promise<Answer<T | undefined>>;
}

export function jobsOf(transport: Transport) {
  const { send, sendForPage } = transport;
  const page = (query: Query<'listJobs'>, options: RequestOptions = {}): Promise<Page<JobHeader>> =>
    sendForPage('listJobs', { query }, options);
  return {
    create: (body: Body<'createJob'>, options: CreateOptions & Query<'createJob'> = {}) =>
      send('createJob', { body }, options),
    get: ((id: number, options: ReadOptions = {}) => send('getJob', { path: { id } }, options)) as Get<Job>,
    /** Changes the properties sent. */
    update: (id: number, changes: Body<'updateJob'>, options: ChangeOptions & Query<'updateJob'> = {}) =>
      send('updateJob', { path: { id }, body: changes }, options),
    /** Changes the job with this `referenceId` and `company.id`, or creates it. */
    putByReference: (body: Body<'putJob'>, options: ChangeOptions & Query<'putJob'> = {}) =>
      send('putJob', { body }, options),
    /**
     * Does what `putByReference` does for up to 500 jobs. Each has its own answer: look at `status` of all of them, and
     * send those with 5xx again.
     */
    batch: (items: Body<'batchJobs'>['items'], options: CreateOptions & Query<'batchJobs'> = {}) =>
      send('batchJobs', { body: { items } }, options),
    delete: (id: number, options: ChangeOptions = {}) => send('deleteJob', { path: { id } }, options),
    deleteByReference: (reference: Body<'deleteJobByReference'>, options: ChangeOptions = {}) =>
      send('deleteJobByReference', { body: reference }, options),
    /** The counts of a job by day and source. They add up, with `outside`, to those that the job shows. */
    metrics: (id: number, query: Query<'getJobMetrics'> = {}, options: RequestOptions = {}) =>
      send('getJobMetrics', { path: { jobId: id }, query }, options),
    /** Pages of all jobs as they are now or, after a cursor, of those that changed since. */
    changes: changesOf(transport),
    /** One page of job headers. */
    page,
    /** The job headers of all pages, newest first. */
    list: (query: Query<'listJobs'>, options: RequestOptions = {}) =>
      elementsOf((number) => page({ ...query, page: number }, options), query.page),
  };
}
