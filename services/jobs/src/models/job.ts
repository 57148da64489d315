import type { Mongo } from '@joblisting/service-kit';
import { Schema } from 'mongoose';
import type { JobDocument } from '../store/job-document.ts';

const schema = new Schema<JobDocument>(
  { _id: Number },
  { strict: false, strictQuery: false, versionKey: false, id: false, collection: 'jobs' },
);

export const jobModel = (mongo: Mongo) => mongo.model<JobDocument>('Job', schema);
