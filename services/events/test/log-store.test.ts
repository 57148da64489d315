import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Mongo, prepareModels } from '@joblisting/service-kit';
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
