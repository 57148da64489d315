import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseOf, type Mongo, prepareModels } from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import type { Entry } from '../src/domain/entry.ts';
import { eventModel } from '../src/models/event.ts';
import { logModel } from '../src/models/log.ts';
import { positionModel } from '../src/models/position.ts';
import { logStore, PositionMoved } from '../src/store/log-store.ts';

const STREAM = 'JOBS';
const NOW = Date.UTC(2026, 2, 10);

let mongo: Mongo;
let logs: ReturnType<typeof logStore>;
beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}log_store`);
  await prepareModels([logModel, eventModel, positionModel].map((model) => model(mongo)));
  logs = logStore(mongo);
  await logs.prepare([STREAM]);
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

const entry = (no: number, companyId: number): Entry => ({
  id: `category:${no}:1`,
  companyId,
  type: 'category.created',
  at: new Date(NOW),
  category: { id: no, name: 'Joinery' },
});

describe('append', () => {
  it('rejects with PositionMoved where another replica was first, and adds nothing', async () => {
    const from = await logs.positionOf(STREAM);
    const to = { createdAt: 'then', seq: 2 };
    const addition = { stream: STREAM, from, to, isGap: false, now: NOW, deadline: Date.now() + 5000 };
    await logs.append({ ...addition, entries: [entry(1, 1)] });
    const second = logs.append({ ...addition, entries: [entry(2, 1)] });
    await expect(second).rejects.toBeInstanceOf(PositionMoved);
    expect((await logs.page(1, undefined, 10)).events.map(({ id }) => id)).toEqual(['category:1:1']);
    expect(await logs.positionOf(STREAM)).toEqual(to);
  });
});

describe('lastBefore', () => {
  const COMPANY = 7;
  const MANY = 300;
  const timeOf = (seq: number) => NOW + seq * 1000;
  beforeAll(async () => {
    const seqs = Array.from({ length: MANY }, (_, index) => index + 1);
    await eventModel(mongo).insertMany(
      seqs.map((seq) => ({
        _id: `category:${1000 + seq}:1`,
        companyId: COMPANY,
        seq,
        type: 'category.created',
        at: new Date(timeOf(seq)),
        loggedAt: new Date(timeOf(seq)),
      })),
    );
  });

  it.each([
    ['at its end', MANY + 1, MANY],
    ['in its middle', MANY / 2, MANY / 2 - 1],
    ['after the first', 2, 1],
    ['before the first', 1, undefined],
  ])('finds the last event before a time %s', async (_where, at, expected) => {
    expect(await logs.lastBefore(COMPANY, timeOf(at))).toBe(expected);
  });

  it('reads no other event, however long the log is', async () => {
    const database = databaseOf(mongo);
    await database.command({ profile: 2 });
    await logs.lastBefore(COMPANY, timeOf(MANY / 2));
    await database.command({ profile: 0 });
    const [query] = await database.collection('system.profile').find({ op: 'query' }).toArray();
    expect(query).toMatchObject({ keysExamined: 1, nreturned: 1 });
    expect(query?.['docsExamined']).toBeLessThanOrEqual(1);
  });
});
