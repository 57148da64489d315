// Runs one administrator command and prints the reply, for machines without mongosh.
//   node infra/operations/mongodb-command.mjs '{"replSetGetStatus": 1}' [database, admin by default]
//
// `-` reads the command from standard input, so that a password does not appear in the list of processes.
import { readFileSync } from 'node:fs';
import { mongo } from 'mongoose';
import { main, withClient } from './database.mjs';

await main(async () => {
  const [command, database = 'admin'] = process.argv.slice(2);
  if (!command) throw new Error('usage: mongodb-command.mjs <command as JSON, or -> [database]');
  const text = command === '-' ? readFileSync(0, 'utf8') : command;
  const { EJSON } = mongo.BSON;
  const parsed = EJSON.parse(text);
  const reply = await withClient(process.env, (client) =>
    client.db(database).command(parsed, { readPreference: 'primaryPreferred' }),
  ).catch((error) => {
    // A server that stops closes the connection instead of an answer.
    if (parsed.shutdown && error.name === 'MongoNetworkError') return { ok: 1, stopping: true };
    throw error;
  });
  process.stdout.write(`${EJSON.stringify(reply, undefined, 2)}\n`);
});
