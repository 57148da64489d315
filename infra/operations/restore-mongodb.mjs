// Restores a backup of backup-mongodb.mjs (or mongodump without --gzip). Stop the services first.
//   node infra/operations/restore-mongodb.mjs <folder> [--drop] [--ids-ahead <n>]
//
// --drop        removes the services' databases first; without it they must be empty
// --ids-ahead   how many ids to skip in each sequence, 1000000 by default, so that ids given since the backup are not
//               reused. 0 if no service ran since.
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mongo } from 'mongoose';
import { databases } from '../mongodb/create-users.mjs';
import { main, withClient } from './database.mjs';

const { deserialize, EJSON } = mongo.BSON;
const BATCH_SIZE = 1000;
const IDS_AHEAD = 1_000_000;
const LENGTH_BYTES = 4;

/** The documents of a file. Numbers keep their BSON types. */
async function* documentsOf(file) {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(file)) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= LENGTH_BYTES && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      yield deserialize(rest.subarray(0, length), { promoteValues: false, bsonRegExp: true });
      rest = rest.subarray(length);
    }
  }
  if (rest.length > 0) throw new Error(`${file} ends within a document`);
}

async function restoreCollection(database, name, folder) {
  const { options, indexes } = EJSON.parse(await readFile(join(folder, `${name}.metadata.json`), 'utf8'));
  const collection = await database.createCollection(name, options);
  let count = 0;
  let batch = [];
  const flush = async () => {
    if (batch.length > 0) await collection.insertMany(batch);
    count += batch.length;
    batch = [];
  };
  for await (const document of documentsOf(join(folder, `${name}.bson`))) {
    if (batch.push(document) === BATCH_SIZE) await flush();
  }
  await flush();
  const own = indexes.filter((index) => index.name !== '_id_').map(({ v: _v, ns: _ns, ...index }) => index);
  if (own.length > 0) await collection.createIndexes(own);
  return count;
}

export async function restore(client, folder, { drop = false, idsAhead = IDS_AHEAD } = {}) {
  const { counts } = JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8'));
  for (const name of databases) {
    if (drop) await client.db(name).dropDatabase();
    const [existing] = await client.db(name).listCollections().toArray();
    if (existing) throw new Error(`The database ${name} is not empty; --drop removes its data.`);
  }
  const restored = {};
  for (const name of databases) {
    const files = await readdir(join(folder, name));
    for (const collection of files
      .filter((file) => file.endsWith('.bson'))
      .map((file) => file.slice(0, -5))) {
      restored[`${name}.${collection}`] = await restoreCollection(
        client.db(name),
        collection,
        join(folder, name),
      );
    }
    const sequences = { _id: { $type: 'string' }, next: { $type: 'number' } };
    await client
      .db(name)
      .collection('counters')
      .updateMany(sequences, { $inc: { next: idsAhead } });
  }
  const incomplete = Object.keys(counts).filter((name) => counts[name] !== restored[name]);
  if (incomplete.length > 0) throw new Error(`Some documents are missing: ${incomplete.join(', ')}`);
  return restored;
}

if (import.meta.main) {
  await main(async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { drop: { type: 'boolean' }, 'ids-ahead': { type: 'string', default: String(IDS_AHEAD) } },
    });
    const idsAhead = Number(values['ids-ahead']);
    if (positionals.length !== 1 || !Number.isInteger(idsAhead) || idsAhead < 0) {
      throw new Error('usage: restore-mongodb.mjs <folder> [--drop] [--ids-ahead <n>]');
    }
    const restored = await withClient(process.env, (client) =>
      restore(client, positionals[0], { drop: values.drop, idsAhead }),
    );
    process.stdout.write(
      `${Object.values(restored).reduce((sum, count) => sum + count, 0)} documents restored\n`,
    );
  });
}
