import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

const fields = {
  _id: { type: Number, required: true },
  name: { type: String, required: true },
  nameKey: { type: String, required: true }, // the name without regard to case
} as const;

/** One document per company. */
const schema = new Schema(fields, { ...schemaOptions, collection: 'companies' });
schema.index({ nameKey: 1 }, { unique: true });

export type CompanyDocument = InferRawDocType<typeof fields>;
export const companyModel = (mongo: Mongo) => mongo.model('Company', schema);
