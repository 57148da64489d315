import type { operations } from './openapi.ts';

/** Operations under /v1.0. */
export type OperationId = Exclude<keyof operations, 'followShortLink' | 'receiveEvent'>;

/** Method and path of every operation. The type check fails when the API has one more. */
export const routes = {
  listJobs: 'GET /jobs',
  createJob: 'POST /jobs',
  putJob: 'PUT /jobs',
  batchJobs: 'POST /jobs/batch',
  startSync: 'POST /syncs',
  getSync: 'GET /syncs/{id}',
  addSyncItems: 'POST /syncs/{id}/items',
  commitSync: 'POST /syncs/{id}/commit',
  deleteJobByReference: 'DELETE /jobs',
  getJob: 'GET /jobs/{id}',
  updateJob: 'PUT /jobs/{id}',
  deleteJob: 'DELETE /jobs/{id}',
  listEvents: 'GET /events',
  listJobChanges: 'GET /jobs/changes',
  createWebhook: 'POST /webhooks',
  listWebhooks: 'GET /webhooks',
  getWebhook: 'GET /webhooks/{id}',
  updateWebhook: 'PUT /webhooks/{id}',
  deleteWebhook: 'DELETE /webhooks/{id}',
  testWebhook: 'POST /webhooks/{id}/test',
  listWebhookAttempts: 'GET /webhooks/{id}/attempts',
  replayEvents: 'POST /webhooks/{id}/replay',
  rotateWebhookSecret: 'POST /webhooks/{id}/rotate-secret',
  createApplication: 'POST /jobs/{jobId}/applications',
  listApplications: 'GET /applications',
  eraseApplicant: 'DELETE /applications',
  getApplication: 'GET /applications/{id}',
  deleteApplication: 'DELETE /applications/{id}',
  getApplicationFile: 'GET /applications/{id}/files/{fileId}',
  queueCopies: 'POST /applications/{id}/copies',
  listCategories: 'GET /jobcategories',
  createCategory: 'POST /jobcategories',
  getCategory: 'GET /jobcategories/{id}',
  updateCategory: 'PUT /jobcategories/{id}',
  deleteCategory: 'DELETE /jobcategories/{id}',
  listJobTypes: 'GET /jobtypes',
  listCountries: 'GET /countries',
  listProvinces: 'GET /provinces',
  recordEvents: 'POST /metrics/events',
  getJobMetrics: 'GET /jobs/{jobId}/metrics',
} as const satisfies Record<OperationId, string>;

type Parameters<O extends OperationId> = operations[O]['parameters'];

/** The query parameters of an operation. */
export type Query<O extends OperationId> =
  Parameters<O> extends { query?: never } ? object : Exclude<Parameters<O>['query'], undefined>;

/** The JSON body of an operation. */
export type Body<O extends OperationId> = operations[O] extends {
  requestBody?: { content: { 'application/json': infer B } };
}
  ? B
  : never;

type Envelopes<O extends OperationId> = {
  [
    Status in keyof operations[O]['responses'] & (200 | 201 | 202)
  ]: operations[O]['responses'][Status] extends {
    content: { 'application/json': infer Envelope };
  }
    ? Envelope
    : never;
}[keyof operations[O]['responses'] & (200 | 201 | 202)];

/** What an operation answers as `data`; undefined for one that answers 204. */
export type Data<O extends OperationId> = [Envelopes<O>] extends [never]
  ? undefined
  : Envelopes<O> extends { data: infer D }
    ? D
    : never;
