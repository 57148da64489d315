import type { Mongo } from '@joblisting/service-kit';
import { Schema } from 'mongoose';
import type { TombstoneDocument } from '../store/collections.ts';

const schema = new Schema<TombstoneDocument>(
  { _id: Number },
  { strict: false, strictQuery: false, versionKey: false, id: false, collection: 'tombstones' },
);

export const tombstoneModel = (mongo: Mongo) => mongo.model<TombstoneDocument>('Tombstone', schema);
