import { databasePrefix, dropDatabase, testMongoUri, waitFor } from '@joblisting/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMetrics, type Mongo } from '../src/index.ts';
import { connectMongo, relayMetrics, relayModel, relayStore, startRelay } from '../src/index-mongo.ts';
import { createLog } from '../src/log.ts';

interface Note {
  readonly _id: number;
  readonly change: string;
}

let mongo: Mongo;
beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}relay_order`);
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

it('a relay publishes no later change of a document before an earlier one that failed', async () => {
  const published: string[] = [];
  const failed = new Set<string>();
  const event = { subject: 'notes', stream: 'NOTES', summary: '', payload: {} };
  const bus = {
    publishEvent: async (_event: unknown, _payload: unknown, messageId: string) => {
      // The first change of each document is refused once.
      if (messageId.endsWith(':1') && !failed.has(messageId)) {
        failed.add(messageId);
        throw new Error('refused');
      }
      published.push(messageId);
      return { duplicate: false };
    },
  };
  await relayModel(mongo).createCollection();
  const store = relayStore<string>(mongo, { name: 'notes', collections: ['notes'] });
  await store.prepare();
  const notes = mongo.collection<Note>('notes');
  for (const change of ['1', '2', '3']) {
    await notes.updateOne({ _id: 1 }, { $set: { change } }, { upsert: true });
    await notes.updateOne({ _id: 2 }, { $set: { change } }, { upsert: true });
  }
  const stop = startRelay<string>({
    store,
    patient: await connectMongo(testMongoUri(), mongo.name),
    bus,
    log: createLog('test', 'silent'),
    metrics: relayMetrics(createMetrics()),
    messageOf: (id, change) => ({ event, payload: {}, messageId: `${id}:${change}` }),
  });
  try {
    const firsts = () => [...new Set(published)];
    await waitFor(() => firsts().length === 6, { what: 'all changes', limitMs: 20_000 });
    for (const id of [1, 2]) {
      expect(firsts().filter((name) => name.startsWith(`${id}:`))).toEqual([`${id}:1`, `${id}:2`, `${id}:3`]);
    }
  } finally {
    await stop();
  }
}, 30_000);
