import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

const total = { type: Number, required: true } as const;

/** One document per job that has events: its totals and sources. Only transactions that count write it. */
const schema = new Schema(
  {
    _id: { type: Number, required: true },
    view: total,
    application: total,
    clickThrough: total,
    /** The sources with rows of their own in `days`; absent without any. */
    sources: { type: [String], default: undefined },
  },
  { ...schemaOptions, collection: 'counters' },
);

export const counterModel = (mongo: Mongo) => mongo.model('JobCounter', schema);
