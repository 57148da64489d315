import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/**
 * One document per job and applicant: their last application. Every new one writes it, so that two at the same time
 * conflict, and the second one sees the first.
 */
const definition = {
  /** Digest of the job and the e-mail address. */
  _id: { type: String, required: true },
  applicationId: { type: Number, required: true },
  receivedAt: { type: Date, required: true },
  digest: { type: String, required: true },
} as const;

const schema = new Schema(definition, { ...schemaOptions, collection: 'last-applications' });

export type LastApplicationDocument = InferRawDocType<typeof definition>;

export const lastApplicationModel = (mongo: Mongo) => mongo.model('LastApplication', schema);
