import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/** The collection prefix of GridFS. */
export const BUCKET = 'files';

/** The files collection of GridFS, which the driver writes (GridFS specification, "files collection"). */
const schema = new Schema(
  {
    _id: String,
    length: Number,
    chunkSize: Number,
    uploadDate: Date,
    filename: String,
    /** `unconfirmed` until a sweep has found the application that the file belongs to. */
    metadata: { unconfirmed: Boolean },
  },
  { ...schemaOptions, collection: `${BUCKET}.files` },
);
schema.index({ filename: 1, uploadDate: 1 }); // the driver's own
schema.index({ uploadDate: 1 }, { partialFilterExpression: { 'metadata.unconfirmed': true } }); // what the sweep checks

export const storedFileModel = (mongo: Mongo) => mongo.model('StoredFile', schema);
