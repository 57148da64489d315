export { type Client, createClient } from './client.ts';
export { type Conflict, JobListingError } from './error.ts';
export type {
  Application,
  ApplicationCopy,
  ApplicationFile,
  ApplicationHeader,
  BatchedJob,
  ItemError,
  CursorPaging,
  Event,
  Job,
  JobByReference,
  JobCategory,
  JobCategoryChanges,
  JobChange,
  JobChanges,
  JobHeader,
  JobMetrics,
  JobReference,
  MetricsEvent,
  MetricsReceipt,
  NewApplication,
  NewJob,
  NewJobCategory,
  Paging,
  Sync,
  SyncedJob,
  Violation,
  Warning,
} from './openapi.ts';
export type { ChangeOptions, CreateOptions, ReadOptions, RequestOptions, UploadedFile } from './request.ts';
export type { Answer, ClientOptions, CursorPage, Page } from './transport.ts';
