// Copies the services' databases as they were at one moment, while services work:
//   node infra/operations/backup-mongodb.mjs <new folder>
//
// Files are as mongodump writes them: <database>/<collection>.bson and .metadata.json. All are read in one snapshot, so
// that databases fit each other. MongoDB keeps a snapshot for minSnapshotHistoryWindowInSeconds, 300 by default: what
// takes longer fails. Where mongodump or a snapshot of volumes is at hand, take that for large data.
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { mongo } from 'mongoose';
import { databases } from '../mongodb/create-users.mjs';
import { main, withServers } from './database.mjs';

const { EJSON } = mongo.BSON;

/** Writes each document as it is stored. Answers how many there were. */
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
  // Fails where there is a backup already.
  await mkdir(folder, { mode: 0o700 });
  const counts = {};
  const session = client.startSession({ snapshot: true });
  try {
    for (const name of databases) {
      const database = client.db(name);
      await mkdir(join(folder, name));
      for (const { name: of, options } of await database.listCollections({ type: 'collection' }).toArray()) {
        const indexes = await database.collection(of).indexes();
        const metadata = EJSON.stringify({ options, indexes, collectionName: of, type: 'collection' });
        await writeFile(join(folder, name, `${of}.metadata.json`), metadata);
        counts[`${name}.${of}`] = await copyDocuments(
          database.collection(of),
          session,
          join(folder, name, `${of}.bson`),
        );
      }
    }
    const at = new Date(session.snapshotTime.getHighBits() * 1000).toISOString();
    // Last: a folder without it is no backup.
    await writeFile(join(folder, 'backup.json'), `${JSON.stringify({ at, counts }, undefined, 2)}\n`);
    return { at, counts };
  } finally {
    await session.endSession();
  }
}

if (import.meta.main) {
  await main(async () => {
    const [folder] = process.argv.slice(2);
    if (!folder) throw new Error('usage: backup-mongodb.mjs <new folder>');
    const { at, counts } = await withServers(process.env, (client) => backUp(client, folder));
    const documents = Object.values(counts).reduce((sum, count) => sum + count, 0);
    process.stdout.write(
      `${documents} documents of ${Object.keys(counts).length} collections, as of ${at}\n`,
    );
  });
}
