import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMet } from './measure/goals.ts';
import { readOptions } from './options.ts';
import { armHeader, armRows, goalHeader, goalRows, noteHeader, noteRows } from './report/rows.ts';
import { table } from './report/table.ts';
import { run } from './run.ts';
import { scenarios } from './scenarios/index.ts';

const options = readOptions(
  process.argv.slice(2),
  scenarios.map(({ name }) => name),
);
const startedAt = performance.now();
const seconds = (): number => Math.round((performance.now() - startedAt) / 100) / 10;
const say = (line: string): void => console.log(`${seconds().toFixed(1).padStart(6)} s  ${line}`);

const chosen = scenarios.filter(({ name }) => options.names.includes(name));
const results = await run(chosen, options, say);
console.log(`\n${table(armHeader, armRows(results))}`);
console.log(`\n${table(goalHeader, goalRows(results))}`);
console.log(`\n${table(noteHeader, noteRows(results))}`);
const goals = results.flatMap((result) => result.goals);
console.log(
  `\nGoals: ${goals.filter(isMet).length} met, ${goals.filter((goal) => !isMet(goal)).length} not met; ${seconds()} s`,
);
await mkdir(options.out, { recursive: true });
await writeFile(
  join(options.out, 'bench.json'),
  `${JSON.stringify({ sizes: options.sizes, results }, undefined, 2)}\n`,
);
