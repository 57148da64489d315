import { randomBytes } from 'node:crypto';
import { serverKind } from './kind.ts';
import type { TestMongo } from './test-mongo.ts';

/** Starts a replica set of its own. Most suites want `testMongoUri`, the one that the whole run shares. */
export async function startMongo(): Promise<TestMongo> {
  if ((await serverKind()) === 'containers') {
    const { startMongoContainer } = await import('./mongo-container.ts');
    return startMongoContainer();
  }
  const { startMongoBinary } = await import('./mongo-binary.ts');
  return startMongoBinary();
}

/**
 * The replica set that the test run shares, without a database.
 * @throws Error when jest was started without the project's preset.
 */
export function testMongoUri(): string {
  const uri = process.env['TEST_MONGODB_URI'];
  if (uri === undefined || uri === '') {
    throw new Error('TEST_MONGODB_URI is not set: run jest with the preset of packages/testing.');
  }
  return uri;
}

/** A prefix for a suite's database names, so that suites share one server without seeing each other. */
export function databasePrefix(): string {
  return `t${randomBytes(5).toString('hex')}_`;
}

/**
 * Drops the database of a suite. A slow disk may take longer for it than a service gives a statement, so it has a
 * connection of its own. What the suite has open is best closed before.
 */
export async function dropDatabase(name: string): Promise<void> {
  const { mongo } = await import('mongoose');
  const client = new mongo.MongoClient(testMongoUri());
  try {
    await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}
