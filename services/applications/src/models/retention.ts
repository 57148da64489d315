import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/** One document per company that keeps its applications for another time than the service's setting says. */
const schema = new Schema(
  {
    /** The company. */
    _id: { type: Number, required: true },
    days: { type: Number, required: true },
  },
  { ...schemaOptions, collection: 'retention' },
);

export const retentionModel = (mongo: Mongo) => mongo.model('Retention', schema);
