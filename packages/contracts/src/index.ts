export * from './accounts.ts';
export * from './answer-shapes.ts';
export {
  FILE_NAME_MAX,
  FILES_BYTES_MAX,
  FILES_MAX,
  NewAnswer,
  NewApplicant,
  NewApplication,
} from './application-body.ts';
export * from './applications.ts';
export * from './categories.ts';
export * from './error-body.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './fields.ts';
export * from './plain-schema.ts';
export * from './gateway.ts';
export * from './http-status.ts';
export * from './job-batch.ts';
export * from './job-body.ts';
export * from './jobs.ts';
export * from './metrics.ts';
export * from './operation.ts';
export * from './principal.ts';
export * from './resources.ts';
export * from './scheduler.ts';
export * from './shortlink.ts';
export * from './webhooks.ts';
