import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/** One document per company with events. */
const schema = new Schema(
  {
    /** The company. */
    _id: { type: Number, required: true },
    /** Of its last event. */
    seq: { type: Number, required: true },
    /** Events up to this one are removed, or about to be. */
    removed: { type: Number, required: true },
  },
  { ...schemaOptions, collection: 'counters' },
);

export const counterModel = (mongo: Mongo) => mongo.model('Counter', schema);
