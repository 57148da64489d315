// Restores a backup of backup-mongodb.mjs. Stop the services first.
//   node infra/operations/restore-mongodb.mjs <folder> [--drop] [--ids-ahead <n>]
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mongo } from 'mongoose';
import { databases } from '../mongodb/create-users.mjs';
import { main, withClient } from './database.mjs';

const USAGE = `usage: restore-mongodb.mjs <folder> [--drop] [--ids-ahead <n>]

Restores a backup of backup-mongodb.mjs, after it has read all of it. Stop the services first.
--drop        removes the services' databases first; without it they must be empty
--ids-ahead   how many ids to skip in each sequence, 1000000 by default, so that ids given since the backup are not
              reused. 0 if no service ran since.
Settings: MONGODB_URI, MONGODB_ADMIN_USER, MONGODB_ADMIN_PASSWORD_FILE, MONGODB_TLS_CA_FILE`;

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

const metadataOf = async (folder, name) =>
  EJSON.parse(await readFile(join(folder, `${name}.metadata.json`), 'utf8'));

async function countDocuments(file) {
  const documents = documentsOf(file);
  let count = 0;
  while (!(await documents.next()).done) count++;
  return count;
}

/** Reads the whole backup and returns its collections. Throws if files or documents are missing. */
async function readCollections(folder) {
  const { counts } = JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8'));
  const collections = Object.entries(counts).map(([name, count]) => {
    const [database] = name.split('.', 1);
    return { database, name: name.slice(database.length + 1), count };
  });
  for (const { database, name, count } of collections) {
    if (!databases.includes(database)) throw new Error(`No service has the database ${database}.`);
    await metadataOf(join(folder, database), name);
    const found = await countDocuments(join(folder, database, `${name}.bson`));
    if (found !== count) throw new Error(`${database}.${name} has ${found} of its ${count} documents.`);
  }
  return collections;
}

async function restoreCollection(database, name, folder) {
  const { options, indexes } = await metadataOf(folder, name);
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
  const collections = await readCollections(folder);
  for (const name of databases) {
    if (drop) await client.db(name).dropDatabase();
    const [existing] = await client.db(name).listCollections().toArray();
    if (existing) throw new Error(`The database ${name} is not empty; --drop removes its data.`);
  }
  const restored = {};
  for (const { database, name, count } of collections) {
    const written = await restoreCollection(client.db(database), name, join(folder, database));
    if (written !== count) throw new Error(`The backup changed while ${database}.${name} was restored.`);
    restored[`${database}.${name}`] = written;
  }
  const sequences = { _id: { $type: 'string' }, next: { $type: 'number' } };
  for (const name of databases) {
    await client
      .db(name)
      .collection('counters')
      .updateMany(sequences, { $inc: { next: idsAhead } });
  }
  return restored;
}

if (import.meta.main) {
  await main(async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean' },
        drop: { type: 'boolean' },
        'ids-ahead': { type: 'string', default: String(IDS_AHEAD) },
      },
    });
    if (values.help) {
      process.stdout.write(`${USAGE}\n`);
      return;
    }
    const idsAhead = Number(values['ids-ahead']);
    if (positionals.length !== 1 || !Number.isInteger(idsAhead) || idsAhead < 0) {
      throw new Error(USAGE);
    }
    const restored = await withClient(process.env, (client) =>
      restore(client, positionals[0], { drop: values.drop, idsAhead }),
    );
    process.stdout.write(
      `${Object.values(restored).reduce((sum, count) => sum + count, 0)} documents restored\n`,
    );
  });
}
