import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/** When a form was first sent. The same form sent again must make the same request. */
const fields = {
  /** The reference of the form. */
  _id: { type: String, required: true },
  consentAt: { type: Date, required: true },
  /** By the database's clock, which may differ from the service's. */
  expireAt: { type: Date, required: true },
} as const;

export type SubmissionDocument = InferRawDocType<typeof fields>;

const schema = new Schema<SubmissionDocument>(fields, { ...schemaOptions, collection: 'submissions' });
schema.index({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 });

export const submissionModel = (mongo: Mongo) => mongo.model<SubmissionDocument>('Submission', schema);
