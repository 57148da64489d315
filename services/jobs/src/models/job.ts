import type { StatusId } from '@joblisting/contracts';
import { type Mongo, schemaOptions, type StoredAnswer } from '@joblisting/service-kit';
import { Schema } from 'mongoose';
import type { HeldCategory, JobContent } from '../domain/job.ts';
import { type ChangeDocument, changeSchema } from './change.ts';
import { expiryIndex, keptAnswerSchema, keyIndex } from './kept-answer.ts';

/**
 * One document per job. Dates are stored as the instants at which they take effect. Fields of partial indexes are absent
 * instead of null, which keeps these small. A field that was added later is absent in older documents.
 */
export interface JobDocument extends Omit<
  JobContent,
  'referenceId' | 'publishDate' | 'closeDate' | 'description'
> {
  readonly _id: number;
  readonly companyId: number;
  readonly companyName: string;
  readonly referenceId?: string;
  readonly publishAt: Date;
  readonly closeAt: Date | null;
  readonly displayDate: string;
  /** When the clock changes the status next. */
  readonly nextTransitionAt?: Date;
  readonly categories: readonly HeldCategory[];
  /** Absent where it is large, unless an older release has written it. */
  readonly description?: string;
  /** In place of `description`, so that a read of many jobs can leave it out. */
  readonly largeDescription?: string;
  readonly url: string;
  /** It has only its fallback address so far. */
  readonly linkPending?: true;
  readonly statusId: StatusId;
  readonly version: number;
  readonly counts: { readonly view: number; readonly application: number; readonly clickThrough: number };
  readonly change?: ChangeDocument;
  /** The answer to the request that created the job, where it had an Idempotency-Key. No change touches it. */
  readonly idempotency?: StoredAnswer;
  /** The status under which the totals of its company count the job; absent where they never did. */
  readonly counted?: StatusId;
  /** The totals do not include its last change yet. */
  readonly uncounted?: true;
}

const named = { _id: false, id: Number, name: String };

const schema = new Schema<JobDocument>(
  {
    _id: Number,
    companyId: { type: Number, required: true },
    companyName: String,
    referenceId: String,
    employer: String,
    title: String,
    publishAt: Date,
    closeAt: Date,
    displayDate: String,
    nextTransitionAt: Date,
    city: String,
    province: { type: { ...named, country: { type: named } } },
    categories: [{ ...named, version: Number }],
    typeIds: [Number],
    description: String,
    largeDescription: String,
    descriptionFormat: { type: String, enum: ['text', 'html'] },
    routingId: Number,
    applicationEmails: [String],
    applicationUrl: String,
    url: String,
    linkPending: Boolean,
    statusId: { type: Number, required: true },
    version: { type: Number, required: true },
    counts: { view: Number, application: Number, clickThrough: Number },
    change: changeSchema,
    idempotency: keptAnswerSchema,
    counted: Number,
    uncounted: Boolean,
  },
  { ...schemaOptions, collection: 'jobs' },
);

schema.index(
  { companyId: 1, referenceId: 1 },
  { name: 'reference', unique: true, partialFilterExpression: { referenceId: { $exists: true } } },
);
// Lists, newest first.
schema.index({ companyId: 1, displayDate: -1, _id: -1 }, { name: 'list' });
schema.index({ companyId: 1, statusId: 1, displayDate: -1, _id: -1 }, { name: 'list_by_status' });
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
