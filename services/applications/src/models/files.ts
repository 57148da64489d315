import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/** The name of the bucket: the collections are those of its files and chunks. */
export const BUCKET = 'files';

/** One document per file, as GridFS has them (GridFS specification, "Files Collection Documents"). */
const file = {
  _id: { type: String, required: true },
  length: { type: Number, required: true },
  chunkSize: { type: Number, required: true },
  uploadDate: { type: Date, required: true },
  /** The same as the id. The name that the applicant gave is in the application. */
  filename: { type: String, required: true },
} as const;

/** One document per chunk (GridFS specification, "Chunks Collection Documents"). */
const chunk = {
  files_id: { type: String, required: true },
  n: { type: Number, required: true },
  data: { type: Buffer, required: true },
} as const;

const fileSchema = new Schema(file, { ...schemaOptions, collection: `${BUCKET}.files` });
const chunkSchema = new Schema(chunk, { ...schemaOptions, collection: `${BUCKET}.chunks` });
chunkSchema.index({ files_id: 1, n: 1 }, { unique: true });

export type ChunkDocument = InferRawDocType<typeof chunk>;

export const fileModel = (mongo: Mongo) => mongo.model('File', fileSchema);
export const chunkModel = (mongo: Mongo) => mongo.model('Chunk', chunkSchema);
