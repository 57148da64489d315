import { afterAll, beforeAll } from '@jest/globals';
import { connectMongo, type Mongo } from '@joblisting/service-kit';
import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { createIndexes } from '../src/store/collections.ts';

/** The database of the service for the tests of one file, with its indexes, from before its own hooks until the end. */
export function jobsDatabase(name: string) {
  const database = `${databasePrefix()}${name}`;
  let mongo: Mongo;

  beforeAll(async () => {
    mongo = await connectMongo(testMongoUri(), database);
    await createIndexes(mongo);
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
