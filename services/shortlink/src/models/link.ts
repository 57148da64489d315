import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

export const providerNames = ['builtin', 'bitly'] as const;
export type ProviderName = (typeof providerNames)[number];

const bitlink = {
  /** `<domain>/<hash>`, bitly's name of the link. */
  id: { type: String, required: true },
  /** What readers get. */
  url: { type: String, required: true },
} as const;

const removal = {
  dueAt: { type: Date, required: true },
  /** How many attempts have failed. */
  attempts: { type: Number, required: true },
} as const;

const options = { ...schemaOptions, _id: false } as const;

/** One document per job that has a link. */
const definition = {
  /** The code of the builtin address. */
  _id: { type: String, required: true },
  jobId: { type: Number, required: true },
  createdAt: { type: Date, required: true },
  /** When to check that the job was really created. Absent once it was found. */
  checkAt: { type: Date },
  /** The provider of the job's address. Absent: the builtin one. */
  provider: { type: String, enum: ['bitly'] },
  bitlink: { type: new Schema(bitlink, options) },
  /** The period whose budget pays for the link. Set before the first call to bitly, until its answer is stored. */
  granted: { type: String },
  /** Until then a call that requests the link from bitly may be under way. Only one runs at a time. */
  callUntil: { type: Date },
  /** Set once the job is deleted and bitly may still have the link. */
  removal: { type: new Schema(removal, options) },
} as const;

const schema = new Schema(definition, { ...schemaOptions, collection: 'links' });
schema.index({ jobId: 1 }, { unique: true });
schema.index({ checkAt: 1 }, { sparse: true }); // what the sweep checks
schema.index({ 'removal.dueAt': 1 }, { sparse: true }); // what is to be removed at bitly

export type LinkDocument = InferRawDocType<typeof definition>;
export type Bitlink = NonNullable<LinkDocument['bitlink']>;

export const linkModel = (mongo: Mongo) => mongo.model('Link', schema);
