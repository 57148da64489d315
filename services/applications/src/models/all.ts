import type { Mongo } from '@joblisting/service-kit';
import { relayModel } from '@joblisting/service-kit/mongo';
import { applicationModel } from './application.ts';
import { lastApplicationModel } from './last-application.ts';
import { retentionModel } from './retention.ts';
import { unreferencedFilesModel } from './unreferenced-files.ts';

/** Every model with indexes of its own. */
export const allModels = (mongo: Mongo) => [
  applicationModel(mongo),
  lastApplicationModel(mongo),
  relayModel(mongo),
  retentionModel(mongo),
  unreferencedFilesModel(mongo),
];
