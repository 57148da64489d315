import { applicationsOf } from './applications.ts';
import { eventsOf } from './events.ts';
import { type Get, jobsOf } from './jobs.ts';
import type { Body, Data, Query } from './operations.ts';
import type { CreateOptions, ReadOptions, RequestOptions } from './request.ts';
import { type ClientOptions, createTransport, type Transport } from './transport.ts';
import { webhooksOf } from './webhooks.ts';

export type Client = ReturnType<typeof createClient>;

/** A client of the HTTP API. It opens nothing before its first request and needs no closing. */
export function createClient(options: ClientOptions) {
  const transport = createTransport(options);
  return {
    jobs: jobsOf(transport),
    syncs: syncsOf(transport),
    events: eventsOf(transport),
    webhooks: webhooksOf(transport),
    applications: applicationsOf(transport),
    categories: categoriesOf(transport),
    metrics: metricsOf(transport),
    referenceData: referenceDataOf(transport),
  };
}

function syncsOf({ send }: Transport) {
  return {
    start: (body: Body<'startSync'>, options: CreateOptions = {}) => send('startSync', { body }, options),
    get: (id: number, options: RequestOptions = {}) => send('getSync', { path: { id } }, options),
    /** Does what `jobs.batch` does, as part of a sync. */
    add: (id: number, items: Body<'addSyncItems'>['items'], options: CreateOptions = {}) =>
      send('addSyncItems', { path: { id }, body: { items } }, options),
    /** Closes or deletes the jobs that were not sent, unless the count is wrong or too many are missing. */
    commit: (id: number, body: Body<'commitSync'>, options: CreateOptions = {}) =>
      send('commitSync', { path: { id }, body }, options),
  };
}

function categoriesOf({ send }: Transport) {
  return {
    list: (query: Query<'listCategories'> = {}, options: RequestOptions = {}) =>
      send('listCategories', { query }, options),
    get: ((id: number, options: ReadOptions = {}) => send('getCategory', { path: { id } }, options)) as Get<
      Data<'getCategory'>
    >,
    create: (body: Body<'createCategory'>, options: CreateOptions = {}) =>
      send('createCategory', { body }, options),
    update: (id: number, changes: Body<'updateCategory'>, options: RequestOptions = {}) =>
      send('updateCategory', { path: { id }, body: changes }, options),
    delete: (id: number, options: RequestOptions = {}) => send('deleteCategory', { path: { id } }, options),
  };
}

function metricsOf({ send }: Transport) {
  return {
    /** Counts 1 to 1000 events. An event with an id that was sent before counts nothing. */
    send: (events: Body<'recordEvents'>['events'], options: CreateOptions = {}) =>
      send('recordEvents', { body: { events } }, options),
  };
}

function referenceDataOf({ send }: Transport) {
  return {
    jobTypes: (options: RequestOptions = {}) => send('listJobTypes', {}, options),
    countries: (options: RequestOptions = {}) => send('listCountries', {}, options),
    provinces: (query: Query<'listProvinces'>, options: RequestOptions = {}) =>
      send('listProvinces', { query }, options),
  };
}
