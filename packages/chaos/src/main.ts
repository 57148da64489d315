import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';
import { none } from './figures.ts';
import { experiments } from './experiments/index.ts';
import { readOptions } from './options.ts';
import { countPromises, durations, markdownTable, type Result, table } from './report.ts';
import { createSystems } from './system/systems.ts';

const out = (line: string): void => void process.stdout.write(`${line}\n`);
const { names, markdown, ...options } = readOptions(
  process.argv.slice(2),
  experiments.map(({ name }) => name),
  () => randomInt(1, 2 ** 31),
  experiments.filter(({ isLong }) => isLong).map(({ name }) => name),
);
const { scale, seed } = options;
const startedAt = performance.now();
const seconds = (since: number): number => Math.round((performance.now() - since) / 100) / 10;

out(`Chaos at ${scale} scale, seed ${seed}`);
const systems = createSystems(scale === 'ci', (line) => out(`  ${line}`));
const results: Result[] = [];
for (const { name, run } of experiments.filter((experiment) => names.includes(experiment.name))) {
  const since = performance.now();
  const say = (line: string): void => out(`  ${name}, ${seconds(since)} s: ${line}`);
  say('starts');
  const figures = await run({ ...options, systems, say }).catch((error: unknown) => {
    process.stderr.write(`${inspect(error)}\n`);
    return [none('Experiments that threw an error', [String(error)], '1')];
  });
  results.push({ experiment: name, seconds: seconds(since), figures });
}
await systems.close();

const { passed, failed } = countPromises(results);
const took = seconds(startedAt);
out(`\n${(markdown ? markdownTable : table)(results)}\n`);
out(`Scale ${scale}, seed ${seed}, ${took} s: ${durations(results)}`);
out(`Promises: ${passed} passed, ${failed} failed`);
out(JSON.stringify({ scale, seed, seconds: took, kept: failed === 0, results }));
// Not before a pipe has taken all of it.
process.stdout.write('', () => process.exit(failed === 0 ? 0 : 1));
