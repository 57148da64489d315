import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

/** One day more than promised (API decisions, "Metrics"), for clocks that differ and for the server's sweeps. */
const REMEMBER_SECONDS = 8 * 24 * 3600;

/** One document per event that was counted. */
const schema = new Schema(
  {
    _id: { type: String, required: true }, // sender and the sender's id of the event, as `ledgerId` has it
    at: { type: Date, required: true },
  },
  { ...schemaOptions, collection: 'seen' },
);
schema.index({ at: 1 }, { expireAfterSeconds: REMEMBER_SECONDS });

export const seenEventModel = (mongo: Mongo) => mongo.model('SeenEvent', schema);
