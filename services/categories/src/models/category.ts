import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocTypeFromSchema, Schema } from 'mongoose';
import { changeSchema } from './change.ts';

/** Set while some jobs may still show an older name. `pushAt` is when the background pushes the name again. */
const renaming = new Schema(
  { startedAt: { type: Date, required: true }, pushAt: { type: Date, required: true } },
  { ...schemaOptions, _id: false },
);

/**
 * One document per category. `companyId` is null for a system category. `references` counts the jobs that have, or
 * are about to have, a custom category. `version` rises with each rename.
 */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    companyId: { type: Number },
    version: { type: Number, required: true },
    references: { type: Number, required: true },
    renaming: { type: renaming },
    /** Absent for system categories, and for custom ones of older releases until they are renamed. */
    change: { type: changeSchema },
  },
  { ...schemaOptions, collection: 'categories' },
);
schema.index({ nameKey: 1, companyId: 1 }, { unique: true });
schema.index({ companyId: 1 }); // lists
schema.index({ 'renaming.pushAt': 1 }, { sparse: true }); // renames that are due

export type CategoryDocument = InferRawDocTypeFromSchema<typeof schema>;
export const categoryModel = (mongo: Mongo) => mongo.model('Category', schema);
