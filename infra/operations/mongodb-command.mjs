// Gives MongoDB one command of an administrator, and prints the answer; where mongosh is at hand, that does as well.
//   node infra/operations/mongodb-command.mjs '{"replSetGetStatus": 1}' [database, admin by default]
//
// `-` in place of the command reads it from standard input: what holds a password is not seen in the list of processes.
import { readFileSync } from 'node:fs';
import { mongo } from 'mongoose';
import { main, withServers } from './database.mjs';

await main(async () => {
  const [command, database = 'admin'] = process.argv.slice(2);
  if (!command) throw new Error('usage: mongodb-command.mjs <command as JSON, or -> [database]');
  const text = command === '-' ? readFileSync(0, 'utf8') : command;
  const { EJSON } = mongo.BSON;
  const answer = await withServers(process.env, (client) =>
    client.db(database).command(EJSON.parse(text), { readPreference: 'primaryPreferred' }),
  );
  process.stdout.write(`${EJSON.stringify(answer, undefined, 2)}\n`);
});
