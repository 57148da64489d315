import { afterAll, beforeAll } from '@jest/globals';
import { connectMongo, type Mongo, prepareModels } from '@joblisting/service-kit';
import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { categoryNameModel } from '../src/models/category-name.ts';
import { jobModel } from '../src/models/job.ts';
import { relayModel } from '../src/models/relay.ts';
import { tombstoneModel } from '../src/models/tombstone.ts';

/** The database of the service for the tests of one file, with its indexes, from before its own hooks until the end. */
export function jobsDatabase(name: string) {
  const database = `${databasePrefix()}${name}`;
  let mongo: Mongo;

  beforeAll(async () => {
    mongo = await connectMongo(testMongoUri(), database);
    await prepareModels(
      [jobModel, tombstoneModel, categoryNameModel, relayModel].map((model) => model(mongo)),
    );
  });
  afterAll(async () => {
    await mongo.close();
    await dropDatabase(mongo.name);
  });

  return {
    mongo: (): Mongo => mongo,
    /** To the same database, as another replica has. */
    connect: (): Promise<Mongo> => connectMongo(testMongoUri(), database),
  };
}
