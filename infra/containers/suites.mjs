import { addCounts, countTests } from '../../packages/testing/src/test-counts.ts';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../local/bootstrap/paths.mjs';
import { say, seconds } from './tally.mjs';

/** Suites that together use every server of the test harness. */
const suites = ['packages/testing', 'services/scheduler'];

/** Runs these suites with MongoDB and NATS in containers, and counts their tests. */
export async function runSuites({ MONGO_IMAGE, NATS_IMAGE }, tally) {
  const env = {
    ...process.env,
    TEST_SERVERS: 'containers',
    TEST_MONGO_IMAGE: MONGO_IMAGE,
    TEST_NATS_IMAGE: NATS_IMAGE,
  };
  for (const folder of suites) {
    const since = performance.now();
    const { code, output } = await npmTest(join(root, folder), env);
    const { passed, failed } = output.split('\n').map(countTests).reduce(addCounts);
    const broken = code === 0 || failed > 0 ? failed : 1;
    tally.add(passed, broken);
    if (broken > 0) say(output);
    say(
      `  ${folder}: ${/Tests use .*/.exec(output)?.[0] ?? ''} ${passed} passed, ${broken} failed (${seconds(since)})`,
    );
  }
}

function npmTest(cwd, env) {
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn('npm', ['test'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
