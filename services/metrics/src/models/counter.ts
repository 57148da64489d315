import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';
import type { Counts } from '../domain/tally.ts';

export interface CounterDocument extends Counts {
  readonly _id: number;
  /** Set while `jobs` may not have these totals yet. */
  readonly dirty?: true;
}

const total = { type: Number, required: true } as const;

/** One document per job that has events: its totals. */
const schema = new Schema<CounterDocument>(
  {
    _id: { type: Number, required: true },
    view: total,
    application: total,
    clickThrough: total,
    dirty: Boolean,
  },
  { ...schemaOptions, collection: 'counters' },
);
schema.index({ dirty: 1, _id: 1 }, { partialFilterExpression: { dirty: true } });

export const counterModel = (mongo: Mongo) => mongo.model<CounterDocument>('JobCounter', schema);
