import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Mongo } from '../src/index.ts';
import { connectMongo, relayStore } from '../src/index-mongo.ts';

/** What a scan reads in one chunk. */
const CHUNK = 500;

interface Note {
  readonly _id: number;
  readonly change?: string;
  readonly copies?: readonly { readonly failed: boolean; readonly to: string }[];
}

let mongo: Mongo;
beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}relay`);
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

const insert = (collection: string, notes: readonly Note[]) =>
  mongo.collection<Note>(collection).insertMany([...notes]);

/** The chunks of changes of a whole scan. */
async function scanAll<C>({ scanStart, scan }: Pick<ReturnType<typeof relayStore<C>>, 'scan' | 'scanStart'>) {
  const chunks: [number, C][][] = [];
  for (let position: typeof scanStart | undefined = scanStart; position;) {
    const { changes, next } = await scan(position);
    chunks.push(changes.map(({ documentId, change }) => [documentId, change]));
    position = next;
  }
  return chunks;
}

describe('a scan of the relay', () => {
  it('has the change of each document that has one, by collection and id, in chunks', async () => {
    const ids = Array.from({ length: CHUNK + 1 }, (_, index) => index + 1);
    await insert('lasting', ids.map((_id) => ({ _id, change: `c${_id}` })).toReversed());
    await insert('removed', [{ _id: 3 }, { _id: 2, change: 'r2' }]);
    const store = relayStore<string>(mongo, { name: 'scanned', collections: ['removed', 'lasting'] });
    const chunks = await scanAll(store);
    expect(chunks.map(({ length }) => length)).toEqual([1, 0, CHUNK, 1, 0]);
    expect(chunks.flat()).toEqual([[2, 'r2'], ...ids.map((id) => [id, `c${id}`])]);
  });

  it('has all present changes of a document, from the fields of the projection', async () => {
    await insert('letters', [
      { _id: 1, change: 'sent' },
      {
        _id: 2,
        change: 'sent',
        copies: [
          { failed: true, to: 'a' },
          { failed: false, to: 'b' },
          { failed: true, to: 'c' },
        ],
      },
    ]);
    const store = relayStore(mongo, {
      name: 'several',
      collections: ['letters'],
      projection: { copies: 1 },
      presentChanges: ({ _id, change, copies = [] }: Note) => [
        `received ${_id} ${change}`,
        ...copies.filter(({ failed }) => failed).map(({ to }) => `failed ${to}`),
      ],
    });
    expect((await scanAll(store)).flat()).toEqual([
      [1, 'received 1 undefined'],
      [2, 'received 2 undefined'],
      [2, 'failed a'],
      [2, 'failed c'],
    ]);
  });
});
