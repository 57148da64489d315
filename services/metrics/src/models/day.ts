import { type Mongo, schemaOptions } from '@joblisting/service-kit';
import { Schema } from 'mongoose';

const count = { type: Number, required: true } as const;

/** One document per job, day and source that has events. Only transactions that count write it, with the totals. */
const schema = new Schema(
  {
    _id: { type: String, required: true }, // job, day and source, as `dayId` has it
    view: count,
    application: count,
    clickThrough: count,
  },
  { ...schemaOptions, collection: 'days' },
);

/** A job's day (`YYYY-MM-DD`, UTC) and source; null for events without one. */
export interface DayKey {
  readonly jobId: number;
  readonly day: string;
  readonly source: string | null;
}

/**
 * Primary key of a row; a source has no colon. Its order is that of a series, so one index serves updates, reads and
 * removals: counting takes a quarter more time with an index of the three.
 */
export const dayId = ({ jobId, day, source }: DayKey): string => `${jobId}:${day}:${source ?? ''}`;

/** The row that has this primary key. */
export function readDayId(id: string): DayKey {
  const [jobId, day = '', source = ''] = id.split(':');
  return { jobId: Number(jobId), day, source: source === '' ? null : source };
}

/** The primary keys of a job's rows, of all days or of these. */
export const dayIds = (jobId: number, from = '', to?: string) => ({
  $gte: `${jobId}:${from}`,
  // A semicolon comes after a colon.
  $lt: to === undefined ? `${jobId};` : `${jobId}:${to};`,
});

export const dayModel = (mongo: Mongo) => mongo.model('JobDay', schema);
