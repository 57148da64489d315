import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Starts the MongoDB that the suites of a package share, unless the run already has one. Only packages with a `test`
 * folder have tests that need it.
 */
export default async function setUp(_globalConfig, { rootDir }) {
  if (process.env.TEST_MONGODB_URI || !existsSync(join(rootDir, 'test'))) return;
  const { describeKind, serverKind } = await import('./src/servers/kind.ts');
  const { startMongo } = await import('./src/servers/mongo.ts');
  process.stderr.write(`${describeKind(await serverKind())}\n`);
  const mongo = await startMongo();
  process.env.TEST_MONGODB_URI = mongo.uri;
  globalThis.stopSharedMongo = mongo.stop;
}
