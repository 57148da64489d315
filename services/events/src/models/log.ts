import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/** One document per company with events: where its log begins and ends. */
const schema = new Schema(
  {
    /** The company. */
    _id: { type: Number, required: true },
    /** Of its last event. */
    seq: { type: Number, required: true },
    /** Events up to this one are removed, or about to be. */
    removed: { type: Number, required: true },
  },
  { ...schemaOptions, collection: 'logs' },
);

export const logModel = (mongo: Mongo) => mongo.model('Log', schema);
