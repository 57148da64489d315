import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocTypeFromSchema, Schema } from 'mongoose';

/** One document per job and custom category that the job has, or is about to have at `version`. */
const schema = new Schema(
  {
    /** `<jobId>:<categoryId>` */
    _id: { type: String, required: true },
    jobId: { type: Number, required: true },
    categoryId: { type: Number, required: true },
    version: { type: Number, required: true },
    acquiredAt: { type: Date, required: true },
    /** When the sweep next asks `jobs` about it. */
    checkAt: { type: Date, required: true },
  },
  { ...schemaOptions, collection: 'assignments' },
);
schema.index({ jobId: 1 });
schema.index({ categoryId: 1, acquiredAt: 1 });
schema.index({ checkAt: 1 });

export type ReferenceDocument = InferRawDocTypeFromSchema<typeof schema>;
export const referenceModel = (mongo: Mongo) => mongo.model('Reference', schema);
