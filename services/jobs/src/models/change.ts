import { schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';
import type { Change } from '../domain/change.ts';

/** What the last write did, as its event reports it: the relay reads it from the oplog. */
export interface ChangeDocument extends Omit<Change, 'at'> {
  readonly at: Date;
}

/** Always set as a whole, so that the oplog has all of it. */
export const changeSchema = new Schema<ChangeDocument>(
  {
    kind: { type: String, enum: ['created', 'updated', 'published', 'closed', 'deleted'] },
    version: Number,
    companyId: Number,
    referenceId: String,
    statusId: Number,
    at: Date,
    fields: { type: [String], default: undefined },
    requestedBy: { type: { _id: false, consumerId: Number, userId: Number }, default: undefined },
    requestId: String,
  },
  { ...schemaOptions, _id: false },
);

export const toChangeDocument = ({ at, ...rest }: Change): ChangeDocument => ({ ...rest, at: new Date(at) });
