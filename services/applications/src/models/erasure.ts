import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';
import { changeSchema } from './application.ts';

/** One document per erased application, with ids only, until its event is sure to be published. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    change: { type: changeSchema, required: true },
    expireAt: { type: Date, required: true },
  },
  { ...schemaOptions, collection: 'erasures' },
);
schema.index({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 });

export const erasureModel = (mongo: Mongo) => mongo.model('Erasure', schema);
