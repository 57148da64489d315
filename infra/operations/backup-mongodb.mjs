// Backs up the services' databases as of one moment, while services run:
//   node infra/operations/backup-mongodb.mjs <new folder>
//
// Writes the files of mongodump: <database>/<collection>.bson and .metadata.json. Reads all databases in one snapshot,
// so that they are consistent. MongoDB keeps a snapshot for minSnapshotHistoryWindowInSeconds, 300 by default: a longer
// backup fails. For large data use mongodump or snapshots of volumes.
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { mongo } from 'mongoose';
import { databases } from '../mongodb/create-users.mjs';
import { main, withClient } from './database.mjs';

const USAGE = `usage: backup-mongodb.mjs <new folder>

Backs up the services' databases as of one moment, while services run.
Settings: MONGODB_URI, MONGODB_ADMIN_USER, MONGODB_ADMIN_PASSWORD_FILE, MONGODB_TLS_CA_FILE`;

const { EJSON } = mongo.BSON;

/** Writes each document in its stored form and returns their number. */
async function copyDocuments(collection, session, file) {
  let count = 0;
  const documents = collection.find({}, { session, raw: true, readPreference: 'secondaryPreferred' });
  await pipeline(
    documents,
    async function* (all) {
      for await (const document of all) {
        count++;
        yield document;
      }
    },
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
  );
  return count;
}

export async function backUp(client, folder) {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  // Fails if the folder exists.
  await mkdir(folder, { mode: 0o700 });
  const counts = {};
  const session = client.startSession({ snapshot: true });
  try {
    for (const name of databases) {
      const database = client.db(name);
      await mkdir(join(folder, name));
      for (const { name: collectionName, options } of await database
        .listCollections({ type: 'collection' })
        .toArray()) {
        const indexes = await database.collection(collectionName).indexes();
        const metadata = EJSON.stringify({ options, indexes, collectionName, type: 'collection' });
        await writeFile(join(folder, name, `${collectionName}.metadata.json`), metadata);
        counts[`${name}.${collectionName}`] = await copyDocuments(
          database.collection(collectionName),
          session,
          join(folder, name, `${collectionName}.bson`),
        );
      }
    }
    const at = new Date(session.snapshotTime.getHighBits() * 1000).toISOString();
    // Written last: a folder without this file is an incomplete backup.
    await writeFile(join(folder, 'backup.json'), `${JSON.stringify({ at, counts }, undefined, 2)}\n`);
    return { at, counts };
  } finally {
    await session.endSession();
  }
}

if (import.meta.main) {
  await main(async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean' } },
    });
    if (values.help) {
      process.stdout.write(`${USAGE}\n`);
      return;
    }
    const [folder] = positionals;
    if (positionals.length !== 1) throw new Error(USAGE);
    const { at, counts } = await withClient(process.env, (client) => backUp(client, folder));
    const documents = Object.values(counts).reduce((sum, count) => sum + count, 0);
    process.stdout.write(
      `${documents} documents of ${Object.keys(counts).length} collections, as of ${at}\n`,
    );
  });
}
