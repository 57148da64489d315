import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/** One document per task: which replica does it. */
const schema = new Schema(
  {
    _id: { type: String, required: true },
    leader: { type: String },
    /** By the machine's clock. From then on another replica may lead. */
    leaseUntil: { type: Date },
  },
  { ...schemaOptions, collection: 'leases' },
);

export const leaseModel = (mongo: Mongo) => mongo.model('Lease', schema);
