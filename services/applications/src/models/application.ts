import { copyStates, scanResults } from '@joblisting/contracts';
import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

const part = { ...schemaOptions, _id: false } as const;
const text = { type: String, required: true } as const;
const optionalText = { type: String, default: null } as const;

const file = {
  id: { type: Number, required: true },
  name: text,
  type: text,
  size: { type: Number, required: true },
  scan: { type: String, enum: scanResults, required: true },
  storedAs: text,
} as const;

const copy = {
  no: { type: Number, required: true },
  email: text,
  state: { type: String, enum: copyStates, required: true },
  attempts: { type: Number, required: true },
  lastAttemptAt: Date,
  /** Absent once the state is final. While a replica sends the copy, the end of its lease. */
  nextAttemptAt: Date,
  queuedAt: { type: Date, required: true },
  round: { type: Number, required: true },
  response: String,
  /** Of the replica that sends it. */
  lease: String,
} as const;

/**
 * What the last write did, as its event tells it: the relay reads it from the oplog. Ids only, and a source that events
 * may have: events outlive an erasure.
 */
const change = {
  kind: { type: String, enum: ['received', 'copyFailed', 'erased'], required: true },
  jobId: { type: Number, required: true },
  companyId: { type: Number, required: true },
  at: { type: Date, required: true },
  source: String,
  copy: Number,
  round: Number,
} as const;

/** Always set as a whole, so that the oplog has all of it. */
export const changeSchema = new Schema(change, part);

/** One document per application. */
const definition = {
  _id: { type: Number, required: true },
  job: {
    type: new Schema({ id: { type: Number, required: true }, referenceId: optionalText, title: text }, part),
    required: true,
  },
  companyId: { type: Number, required: true },
  consumerId: { type: Number, required: true },
  /** Absent without one, so that the unique index skips it. */
  referenceId: String,
  receivedAt: { type: Date, required: true },
  applicant: {
    type: new Schema({ name: text, email: text, phone: optionalText, location: optionalText }, part),
    required: true,
  },
  emailKey: text,
  coverLetter: optionalText,
  answers: { type: [new Schema({ question: text, answer: text }, part)], required: true },
  source: optionalText,
  consentAt: optionalText,
  previousApplicationId: { type: Number, default: null },
  files: { type: [new Schema(file, part)], required: true },
  copies: { type: [new Schema(copy, part)], required: true },
  /** The Idempotency-Keys that were answered with it: an erasure empties the kept answers. */
  idempotencyKeys: { type: [String], required: true },
  change: { type: changeSchema, required: true },
} as const;

/** The index of the copies that are due, by company. */
export const DUE_COPIES = 'due_copies';

const schema = new Schema(definition, { ...schemaOptions, collection: 'applications' });
schema.index({ companyId: 1, receivedAt: -1, _id: -1 });
schema.index({ companyId: 1, 'job.id': 1, receivedAt: -1, _id: -1 });
schema.index({ companyId: 1, 'copies.state': 1, receivedAt: -1, _id: -1 });
schema.index({ companyId: 1, emailKey: 1 }); // erasure of a person
schema.index({ receivedAt: 1 }); // retention
schema.index(
  { consumerId: 1, 'job.id': 1, referenceId: 1 },
  { unique: true, partialFilterExpression: { referenceId: { $exists: true } } },
);
schema.index(
  { 'copies.nextAttemptAt': 1 },
  { partialFilterExpression: { 'copies.nextAttemptAt': { $exists: true } } },
);
schema.index(
  { companyId: 1, 'copies.nextAttemptAt': 1 },
  { name: DUE_COPIES, partialFilterExpression: { 'copies.nextAttemptAt': { $exists: true } } },
);
schema.index({ 'files.scan': 1 }, { partialFilterExpression: { 'files.scan': 'pending' } });

export type ApplicationDocument = InferRawDocType<typeof definition>;
export type ChangeDocument = ApplicationDocument['change'];
export type CopyDocument = ApplicationDocument['copies'][number];

export const applicationModel = (mongo: Mongo) => mongo.model('Application', schema);
