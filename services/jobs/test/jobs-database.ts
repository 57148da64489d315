import { afterAll, beforeAll } from '@jest/globals';
import { type Mongo, prepareModels } from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { allModels } from '../src/models/all.ts';

/** The service's database with its indexes, for the tests of one file. */
export function jobsDatabase(name: string) {
  const database = `${databasePrefix()}${name}`;
  let mongo: Mongo;

  beforeAll(async () => {
    mongo = await connectMongo(testMongoUri(), database);
    await prepareModels(allModels(mongo));
  });
  afterAll(async () => {
    await mongo.close();
    await dropDatabase(mongo.name);
  });

  return {
    mongo: (): Mongo => mongo,
    /** Another connection to the same database, as of another replica. */
    connect: (): Promise<Mongo> => connectMongo(testMongoUri(), database),
  };
}
