import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/**
 * One document per name in use: the system category that has it, or how many companies have a custom one. No index can
 * keep system and custom names apart, so two transactions that take one name conflict on its document.
 */
const schema = new Schema(
  {
    /** The name's key. */
    _id: { type: String, required: true },
    systemId: { type: Number },
    customs: { type: Number },
  },
  { ...schemaOptions, collection: 'names' },
);

export const nameModel = (mongo: Mongo) => mongo.model('Name', schema);
