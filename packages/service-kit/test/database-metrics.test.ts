import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { databasePrefix, mongoProxy, type MongoProxy, testMongoUri, waitFor } from '@joblisting/testing';
import { type Mongo } from '../src/index.ts';
import { connectMongo } from '../src/index-mongo.ts';
import { watchDatabase } from '../src/telemetry/database-metrics.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';

let proxy: MongoProxy;
let mongo: Mongo;
const metrics = createMetrics();

beforeAll(async () => {
  proxy = await mongoProxy(testMongoUri());
  mongo = await connectMongo(proxy.uri, `${databasePrefix()}watched`);
  watchDatabase(metrics, mongo);
});
afterEach(() => proxy.stop());
afterAll(() => mongo.close());

const connectedIs = (value: number) =>
  waitFor(async () => (await metrics.registry.metrics()).includes(`\nmongodb_connected ${value}\n`), {
    what: `mongodb_connected ${value}`,
  });

describe('mongodb_connected', () => {
  it('is 1 at first, 0 while the database is away although nobody asks it for anything, and 1 again', async () => {
    expect(await metrics.registry.metrics()).toContain('\nmongodb_connected 1\n');
    await proxy.stop();
    await connectedIs(0);
    await proxy.startAgain();
    await connectedIs(1);
  });
});
