import { routing } from '@joblisting/contracts';
import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

const embedded = { ...schemaOptions, _id: false } as const;
const number = { type: Number, required: true } as const;
const text = { type: String, required: true } as const;

const named = new Schema({ id: number, name: text }, embedded);
const province = new Schema(
  { id: { type: Number }, name: { type: String }, country: { type: named, required: true } },
  embedded,
);

/** `hidden`: not public now, and nobody shall learn more. `deleted` has no other fields than these four and the company. */
export const postingStates = ['open', 'closed', 'hidden', 'deleted'] as const;
export type PostingState = (typeof postingStates)[number];

/**
 * One document per job that is or was Published: what the public may see of it, and what searches compare. A job that is
 * `open` here has closed all the same once `closesAt` has come.
 */
const fields = {
  _id: number,
  state: { type: String, enum: postingStates, required: true },
  /** Of the job. A lower one never replaces a higher one. */
  version: number,
  /** When this document changed. */
  changedAt: { type: Date, required: true },
  referenceId: { type: String },
  companyId: { type: Number },
  companyName: { type: String },
  /** Who is shown as employer: the job's own, else its company. */
  employer: { type: String },
  title: { type: String },
  displayDate: { type: String },
  closesAt: { type: Date },
  city: { type: String },
  province: { type: province },
  categories: { type: [named], default: undefined },
  types: { type: [named], default: undefined },
  description: { type: String },
  descriptionFormat: { type: String, enum: ['text', 'html'] },
  routingId: { type: Number, enum: Object.values(routing) },
  applicationUrl: { type: String },
  /** The description without tags. */
  plainText: { type: String },
  /** Names as searches compare them (`searchKey`). */
  placeKeys: { type: [String], default: undefined },
  categoryKeys: { type: [String], default: undefined },
  employerKey: { type: String },
} as const;

type Fields = InferRawDocType<typeof fields>;
/** Null if a job has none. */
type Nullable = 'referenceId' | 'closesAt' | 'city' | 'province' | 'applicationUrl';
type Common = Pick<Fields, '_id' | 'state' | 'version' | 'changedAt'>;
type Content = Omit<Fields, keyof Common | Nullable>;

/** The document of a job that is, or was, shown. */
export type PostingDocument = Common & { [Name in keyof Content]-?: NonNullable<Content[Name]> } & {
  [Name in Nullable]: NonNullable<Fields[Name]> | null;
};

const schema = new Schema<PostingDocument>(fields, { ...schemaOptions, collection: 'postings' });
const isOpen = { partialFilterExpression: { state: 'open' } };
// Searches, newest first.
schema.index({ displayDate: -1, _id: -1 }, { name: 'newest', ...isOpen });
schema.index({ companyId: 1, displayDate: -1, _id: -1 }, { name: 'newest_of_company', ...isOpen });
schema.index({ placeKeys: 1, displayDate: -1, _id: -1 }, { name: 'newest_at_place', ...isOpen });
schema.index({ categoryKeys: 1, displayDate: -1, _id: -1 }, { name: 'newest_in_category', ...isOpen });
schema.index({ 'types.id': 1, displayDate: -1, _id: -1 }, { name: 'newest_of_type', ...isOpen });
schema.index({ employerKey: 1, displayDate: -1, _id: -1 }, { name: 'newest_of_employer', ...isOpen });
schema.index(
  { title: 'text', employer: 'text', plainText: 'text', categoryKeys: 'text', placeKeys: 'text' },
  {
    name: 'words',
    weights: { title: 10, employer: 5, categoryKeys: 3, placeKeys: 3 },
    default_language: 'none',
    ...isOpen,
  },
);
// When the feeds changed last, and what closes.
schema.index({ changedAt: -1 }, { name: 'changed' });
schema.index({ companyId: 1, changedAt: -1 }, { name: 'changed_of_company' });
schema.index({ closesAt: 1 }, { name: 'closing', ...isOpen });
// Holds all that the sitemap reads.
schema.index({ state: 1, _id: 1, closesAt: 1, changedAt: 1 }, { name: 'sitemap', ...isOpen });

export const postingModel = (mongo: Mongo) => mongo.model<PostingDocument>('Posting', schema);
