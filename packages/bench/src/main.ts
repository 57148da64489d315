import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { readOptions } from './options.ts';
import { benchReport, sweepReport, writeReport } from './report/write.ts';
import { run } from './run.ts';
import { scenarios } from './scenarios/index.ts';
import { sweep } from './sweep/sweep.ts';

const options = readOptions(
  process.argv.slice(2),
  scenarios.map(({ name }) => name),
);
const startedAt = performance.now();
const seconds = (): number => Math.round((performance.now() - startedAt) / 100) / 10;
const say = (line: string): void => console.log(`${seconds().toFixed(1).padStart(6)} s  ${line}`);
const about = () => ({
  at: new Date().toISOString(),
  machine: { cores: cpus().length, model: cpus()[0]?.model, memoryGb: Math.round(totalmem() / 2 ** 30) },
  node: process.version,
  sizes: options.sizes,
  seconds: seconds(),
});

const chosen = scenarios.filter(({ name }) => options.names.includes(name));
const report = options.sweep
  ? sweepReport(await sweep(options.sweep, say), about())
  : benchReport(await run(chosen, options, say), about());
await writeReport(options.out, report);
console.log(
  `\n${report.text}\n\n${seconds()} s; ${report.name}.md and ${report.name}.json are in ${resolve(options.out)}`,
);
