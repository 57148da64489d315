import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';
import { none } from './experiment.ts';
import { experiments } from './experiments/index.ts';
import { readOptions } from './options.ts';
import { isKept, type Result, table } from './report.ts';

const out = (line: string): void => void process.stdout.write(`${line}\n`);
const options = readOptions(
  process.argv.slice(2),
  experiments.map(({ name }) => name),
  () => randomInt(1, 2 ** 31),
);
const { scale, seed, soakMinutes } = options;
const startedAt = performance.now();
const seconds = (since: number): number => Math.round((performance.now() - since) / 100) / 10;

out(`Chaos at ${scale} scale, seed ${seed}`);
const results: Result[] = [];
for (const { name, run } of experiments.filter((experiment) => options.only.includes(experiment.name))) {
  const since = performance.now();
  const say = (line: string): void => out(`  ${name}, ${seconds(since)} s: ${line}`);
  say('starts');
  const figures = await run({ scale, seed, soakMinutes, say }).catch((error: unknown) => {
    process.stderr.write(`${inspect(error)}\n`);
    return [none('The experiment ends', [String(error)], '1')];
  });
  results.push({ experiment: name, seconds: seconds(since), figures });
}
out(`\n${table(results)}\n`);
out(JSON.stringify({ scale, seed, seconds: seconds(startedAt), kept: isKept(results), results }));
process.exit(isKept(results) ? 0 : 1);
