import { type Mongo, prepareModels } from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { counterModel } from '../src/models/counter.ts';
import { unsentModel } from '../src/models/unsent.ts';
import { counterStore } from '../src/store/counter-store.ts';

let mongo: Mongo;
beforeAll(async () => {
  // No service runs here: it would send what is marked.
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}metrics`);
  await prepareModels([counterModel(mongo), unsentModel(mongo)]);
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

describe('unsent totals', () => {
  const mark = (...jobIds: number[]) => unsentModel(mongo).insertOne({ jobIds });

  it('come in parts where many marks name one job', async () => {
    const { findUnsent, dropMarks } = counterStore(mongo);
    for (let marks = 0; marks < 3; marks++) await mark(1);
    const first = await findUnsent(10, 2);
    expect(first).toMatchObject({ jobIds: [1], isFull: true });
    expect(first.marks).toHaveLength(2);
    await dropMarks(first.marks);
    const last = await findUnsent(10, 2);
    expect(last).toMatchObject({ jobIds: [1], isFull: false });
    await dropMarks(last.marks);
  });

  it('come in parts, each job once, and stay marked where they changed meanwhile', async () => {
    const { findUnsent, dropMarks } = counterStore(mongo);
    await mark(1, 2);
    await mark(2, 3);
    await mark(4);
    const first = await findUnsent(3);
    expect(first).toMatchObject({ jobIds: [1, 2, 3], isFull: true });
    await mark(1);
    await dropMarks(first.marks);
    expect(await findUnsent(3)).toMatchObject({ jobIds: [4, 1], isFull: false });
  });
});
