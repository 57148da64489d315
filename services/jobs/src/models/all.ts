import type { Mongo } from '@joblisting/service-kit';
import { relayModel } from '@joblisting/service-kit/mongo';
import { categoryNameModel } from './category-name.ts';
import { jobModel } from './job.ts';
import { listTotalsModel } from './list-totals.ts';
import { syncEntryModel, syncModel } from './sync.ts';
import { tombstoneModel } from './tombstone.ts';

/** The collections of this service. */
export const allModels = (mongo: Mongo) =>
  [jobModel, tombstoneModel, categoryNameModel, listTotalsModel, syncModel, syncEntryModel, relayModel].map(
    (model) => model(mongo),
  );
