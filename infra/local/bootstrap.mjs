// The entry point of a fresh clone. Runs on Node >= 20 without dependencies, installs, fetches and builds what is
// missing, then starts the command on Node 24.
import { entries } from './bootstrap/entries.mjs';
import { createSteps, Problem } from './bootstrap/terminal.mjs';

const oldestMajor = 20;
const [name, ...args] = process.argv.slice(2);

async function main() {
  if (Number(process.versions.node.split('.')[0]) < oldestMajor) {
    throw new Problem(`Node ${process.versions.node} is too old: Node ${oldestMajor} or newer is needed.`);
  }
  if (!Object.hasOwn(entries, name ?? '')) {
    throw new Problem(`Usage: node infra/local/bootstrap.mjs ${Object.keys(entries).join('|')} [arguments]`);
  }
  return entries[name](createSteps(), args);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Problem ? error.message : error);
  process.exitCode = 1;
}
