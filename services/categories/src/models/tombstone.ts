import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocTypeFromSchema, Schema } from 'mongoose';
import { changeSchema } from './change.ts';

/** One document per deleted custom category, until its event is sure to be published. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    change: { type: changeSchema, required: true },
    expireAt: { type: Date, required: true },
  },
  { ...schemaOptions, collection: 'tombstones' },
);
schema.index({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 });

export type TombstoneDocument = InferRawDocTypeFromSchema<typeof schema>;
export const tombstoneModel = (mongo: Mongo) => mongo.model('Tombstone', schema);
