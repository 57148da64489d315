import { schemaOptions } from '@joblisting/service-kit';
import { type InferRawDocType, Schema } from 'mongoose';

/** What the last write of a custom category did, as its event tells it: the relay reads it from the oplog. */
const definition = {
  kind: { type: String, enum: ['created', 'renamed', 'deleted'], required: true },
  companyId: { type: Number, required: true },
  version: { type: Number, required: true },
  name: { type: String, required: true },
  at: { type: Date, required: true },
} as const;

export type ChangeDocument = InferRawDocType<typeof definition>;

/** Always set as a whole, so that the oplog has all of it. */
export const changeSchema = new Schema(definition, { ...schemaOptions, _id: false });
