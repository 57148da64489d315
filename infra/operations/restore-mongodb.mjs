// Puts back what backup-mongodb.mjs (or mongodump without --gzip) has written. Stop the services first.
//   node infra/operations/restore-mongodb.mjs <folder> [--drop] [--ids-ahead <n>]
//
// --drop        removes the services' databases first; without it they have to be empty
// --ids-ahead   how many ids to leave out of each sequence, 1000000 by default: ids that were given since the backup are
//               known outside, and must not come again for other things. 0 where no service ran since.
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mongo } from 'mongoose';
import { databases } from '../mongodb/create-users.mjs';
import { main, withServers } from './database.mjs';

const { deserialize, EJSON } = mongo.BSON;
const AT_ONCE = 1000;
const IDS_AHEAD = 1_000_000;
const LENGTH_BYTES = 4;

/** The documents of a file; numbers keep their types. */
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
  const put = async () => {
    if (batch.length > 0) await collection.insertMany(batch);
    count += batch.length;
    batch = [];
  };
  for await (const document of documentsOf(join(folder, `${name}.bson`))) {
    if (batch.push(document) === AT_ONCE) await put();
  }
  await put();
  const own = indexes.filter((index) => index.name !== '_id_').map(({ v: _v, ns: _ns, ...index }) => index);
  if (own.length > 0) await collection.createIndexes(own);
  return count;
}

export async function restore(client, folder, { drop = false, idsAhead = IDS_AHEAD } = {}) {
  const { counts } = JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8'));
  for (const name of databases) {
    if (drop) await client.db(name).dropDatabase();
    const [there] = await client.db(name).listCollections().toArray();
    if (there) throw new Error(`The database ${name} is not empty; --drop removes what is there.`);
  }
  const restored = {};
  for (const name of databases) {
    const files = await readdir(join(folder, name));
    for (const of of files.filter((file) => file.endsWith('.bson')).map((file) => file.slice(0, -5))) {
      restored[`${name}.${of}`] = await restoreCollection(client.db(name), of, join(folder, name));
    }
    const sequences = { _id: { $type: 'string' }, next: { $type: 'number' } };
    await client
      .db(name)
      .collection('counters')
      .updateMany(sequences, { $inc: { next: idsAhead } });
  }
  const wrong = Object.keys(counts).filter((name) => counts[name] !== restored[name]);
  if (wrong.length > 0) throw new Error(`Not all documents came back: ${wrong.join(', ')}`);
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
    const restored = await withServers(process.env, (client) =>
      restore(client, positionals[0], { drop: values.drop, idsAhead }),
    );
    process.stdout.write(
      `${Object.values(restored).reduce((sum, count) => sum + count, 0)} documents are back\n`,
    );
  });
}
