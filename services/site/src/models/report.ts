import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

export const reportTypes = ['view', 'clickThrough'] as const;

/** The outbox: one document per event that waits to be reported. */
const fields = {
  /** The id of the event. */
  _id: { type: String, required: true },
  jobId: { type: Number, required: true },
  type: { type: String, enum: reportTypes, required: true },
  at: { type: Date, required: true },
} as const;

export type ReportDocument = InferRawDocType<typeof fields>;

const schema = new Schema<ReportDocument>(fields, { ...schemaOptions, collection: 'reports' });
schema.index({ at: 1 }, { name: 'oldest' });

export const reportModel = (mongo: Mongo) => mongo.model<ReportDocument>('Report', schema);
