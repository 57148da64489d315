import type { Mongo } from '@joblisting/service-kit';
import { relayModel } from '@joblisting/service-kit/mongo';
import { applicationModel } from './application.ts';
import { erasureModel } from './erasure.ts';
import { lastApplicationModel } from './last-application.ts';
import { chunkModel, fileModel } from './files.ts';
import { retentionModel } from './retention.ts';

/** Every model with indexes of its own. */
export const allModels = (mongo: Mongo) => [
  applicationModel(mongo),
  chunkModel(mongo),
  erasureModel(mongo),
  fileModel(mongo),
  lastApplicationModel(mongo),
  relayModel(mongo),
  retentionModel(mongo),
];
