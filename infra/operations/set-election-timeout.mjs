// Sets after how many milliseconds without a primary the members elect a new one, on a running replica set.
//   node infra/operations/set-election-timeout.mjs 2000
import { main, withClient } from './database.mjs';

const HEARTBEAT_SECONDS = 2;

await main(async () => {
  const electionTimeoutMillis = Number(process.argv[2]);
  if (!Number.isInteger(electionTimeoutMillis) || electionTimeoutMillis < 1000) {
    throw new Error('usage: set-election-timeout.mjs <milliseconds, 1000 at least>');
  }
  await withClient(process.env, async (client) => {
    const admin = client.db('admin');
    const { config } = await admin.command({ replSetGetConfig: 1 });
    const settings = { ...config.settings, electionTimeoutMillis, heartbeatTimeoutSecs: HEARTBEAT_SECONDS };
    await admin.command({ replSetReconfig: { ...config, version: config.version + 1, settings } });
  });
  process.stdout.write(`Election timeout: ${electionTimeoutMillis} ms.\n`);
});
