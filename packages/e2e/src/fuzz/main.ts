import { randomInt } from 'node:crypto';
import { startMongo } from '@joblisting/testing';
import { startSystem } from '@joblisting/testing/system';
import { makeFuzzData } from './data.ts';
import { readFuzzOptions } from './options.ts';
import { countOperations } from './report.ts';
import { runSchemathesis } from './schemathesis.ts';

const out = (line: string): void => void process.stdout.write(`${line}\n`);
const options = readFuzzOptions(process.argv.slice(2), () => randomInt(2 ** 31));
const [python, program, modules] = JSON.parse(process.env['SCHEMATHESIS'] ?? '[]') as string[];
if (!python || !program || !modules) throw new Error('SCHEMATHESIS is not set: run `npm run fuzz`.');

const startedAt = performance.now();
const mongo = await startMongo();
process.env['TEST_MONGODB_URI'] = mongo.uri;
try {
  // Fuzzing sends thousands of requests without keys from one address.
  const system = await startSystem({ env: { FAILED_AUTH_PER_MINUTE: '1000000', MAIL: 'off' } });
  try {
    const data = await makeFuzzData(system);
    const schemathesis = { command: [python, program] as const, modules };
    const report = await runSchemathesis(schemathesis, system.origin, data, options);
    const { passed, failed } = countOperations(report);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    out(`\n${report.test_cases.generated} test cases, seed ${options.seed}, ${seconds} s`);
    out(`Fuzz: ${passed} passed, ${failed} failed`);
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    await system.stop();
  }
} finally {
  await mongo.stop();
}
