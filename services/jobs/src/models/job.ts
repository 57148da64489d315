import { routing, status } from '@joblisting/contracts';
import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';
import type { JobContent } from '../domain/job.ts';
import { changeSchema } from './change.ts';
import { expiryIndex, keptAnswerSchema, keyIndex } from './kept-answer.ts';

const embedded = { ...schemaOptions, _id: false } as const;
const number = { type: Number, required: true } as const;
const text = { type: String, required: true } as const;

const country = new Schema({ id: number, name: text }, embedded);
const province = new Schema(
  { id: { type: Number }, name: { type: String }, country: { type: country, required: true } },
  embedded,
);
const category = new Schema({ id: number, name: text, version: number }, embedded);
const counts = new Schema({ view: number, application: number, clickThrough: number }, embedded);

/**
 * One document per job. Dates are stored as the instants at which they take effect. Fields of partial indexes are absent
 * instead of null, which keeps these small. A field that was added later is absent in older documents.
 */
const fields = {
  _id: number,
  companyId: number,
  companyName: text,
  referenceId: { type: String, allowNull: false },
  employer: { type: String },
  title: text,
  publishAt: { type: Date, required: true },
  closeAt: { type: Date },
  displayDate: text,
  /** When the clock changes the status next. */
  nextTransitionAt: { type: Date, allowNull: false },
  city: { type: String },
  province: { type: province },
  categories: { type: [category], required: true },
  typeIds: { type: [Number], required: true },
  /** Absent if it is large, unless an older release has written it. */
  description: { type: String, allowNull: false },
  /** In place of `description`, so that a read of many jobs can leave it out. */
  largeDescription: { type: String, allowNull: false },
  descriptionFormat: { type: String, enum: ['text', 'html'], required: true },
  routingId: { type: Number, enum: Object.values(routing), required: true },
  applicationEmails: { type: [String], required: true },
  applicationUrl: { type: String },
  url: text,
  /** It has only its fallback address so far. */
  linkPending: { type: Boolean, allowNull: false },
  statusId: { type: Number, enum: Object.values(status), required: true },
  version: number,
  counts: { type: counts, required: true },
  change: { type: changeSchema, allowNull: false },
  /**
   * The answer to the request that created the job, if it had an Idempotency-Key. Changes of the job leave it as it is.
   */
  idempotency: { type: keptAnswerSchema, allowNull: false },
  /** The status under which the totals of its company count the job; absent if they never did. */
  counted: { type: Number, enum: Object.values(status), allowNull: false },
  /** The totals do not include its last change yet. */
  uncounted: { type: Boolean, allowNull: false },
} as const;

type Fields = InferRawDocType<typeof fields>;
/** Null where a job has none, never absent, which a schema cannot say. */
type Nullable = Required<Pick<Fields, 'employer' | 'closeAt' | 'city' | 'applicationUrl'>>;

export type JobDocument = Omit<Fields, keyof Nullable | 'province'> &
  Nullable & { province: JobContent['province'] };

const schema = new Schema<JobDocument>(fields, { ...schemaOptions, collection: 'jobs' });

schema.index(
  { companyId: 1, referenceId: 1 },
  { name: 'reference', unique: true, partialFilterExpression: { referenceId: { $exists: true } } },
);
// Lists, newest first.
schema.index({ companyId: 1, displayDate: -1, _id: -1 }, { name: 'list' });
schema.index({ companyId: 1, statusId: 1, displayDate: -1, _id: -1 }, { name: 'list_by_status' });
// Copies of all jobs of a company, in order of id.
schema.index({ companyId: 1, _id: 1 }, { name: 'headers' });
// Due transitions.
const isDue = { partialFilterExpression: { nextTransitionAt: { $exists: true } } };
schema.index({ nextTransitionAt: 1 }, { name: 'due', ...isDue });
schema.index({ companyId: 1, nextTransitionAt: 1 }, { name: 'due_of_company', ...isDue });
schema.index(...keyIndex);
schema.index(...expiryIndex);
const hasCategories = { partialFilterExpression: { 'categories.id': { $exists: true } } };
schema.index({ 'categories.id': 1, 'categories.version': 1 }, { name: 'category', ...hasCategories });
schema.index(
  { companyId: 1, statusId: 1, 'categories.id': 1 },
  { name: 'active_categories', ...hasCategories },
);
schema.index(
  { linkPending: 1, _id: 1 },
  { name: 'link_pending', partialFilterExpression: { linkPending: true } },
);
schema.index(
  { uncounted: 1, companyId: 1, statusId: 1, counted: 1 },
  { name: 'uncounted', partialFilterExpression: { uncounted: true } },
);

export const jobModel = (mongo: Mongo) => mongo.model<JobDocument>('Job', schema);
