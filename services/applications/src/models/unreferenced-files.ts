import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/**
 * Files to which no application refers, not yet or no longer. It is written before the files are, and with the erasure
 * of their application, so that a crash leaves none behind.
 */
const definition = {
  _id: { type: String, required: true },
  /** Their ids in the file store. */
  files: { type: [String], required: true },
  /** By the machine's clock. From then on they are removed, unless an application refers to them. */
  checkAt: { type: Date, required: true },
} as const;

const schema = new Schema(definition, { ...schemaOptions, collection: 'unreferenced_files' });
schema.index({ checkAt: 1 });

export type UnreferencedFilesDocument = InferRawDocType<typeof definition>;

export const unreferencedFilesModel = (mongo: Mongo) => mongo.model('UnreferencedFiles', schema);
