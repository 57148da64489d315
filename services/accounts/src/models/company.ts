import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/** Set while some jobs may still show an older name. `pushAt` is when the background sends the name to `jobs`. */
const renaming = new Schema(
  { startedAt: { type: Date, required: true }, pushAt: { type: Date, required: true } },
  { ...schemaOptions, _id: false },
);

const fields = {
  _id: { type: Number, required: true },
  name: { type: String, required: true },
  nameKey: { type: String, required: true }, // the name without regard to case
  renaming: { type: renaming, allowNull: false },
  /** Set once the company is deleted. */
  deletedAt: { type: Date, allowNull: false },
  /** When the background finishes the deletion; absent before and after. */
  finishAt: { type: Date, allowNull: false },
  /** The keys that lost the deleted company and grant others. */
  narrowedKeyIds: { type: [Number], default: undefined, allowNull: false },
} as const;

/** One document per company. */
const schema = new Schema(fields, { ...schemaOptions, collection: 'companies' });
schema.index({ nameKey: 1 }, { unique: true });
schema.index({ 'renaming.pushAt': 1 }, { sparse: true }); // renames that are due
schema.index({ finishAt: 1 }, { sparse: true }); // deletions that are due

export type CompanyDocument = InferRawDocType<typeof fields>;
export const companyModel = (mongo: Mongo) => mongo.model('Company', schema);
