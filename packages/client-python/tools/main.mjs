// Makes the Python client: node main.mjs generate|build|typecheck|test [arguments of pytest]
import { MissingPython } from '../../../infra/local/bootstrap/wheel.mjs';
import { generateTypes } from './generate.mjs';
import { findPython } from './python.mjs';

const say = (line) => void process.stdout.write(`${line}\n`);

const typecheck = (python) => python.run('mypy');

const tasks = {
  generate: generateTypes,
  build: (python) => python.run('hatchling', ['build', '--target', 'wheel']),
  typecheck,
  test: async (python, args) => {
    const code = await typecheck(python);
    return code === 0 ? runTests(python, args) : code;
  },
};

async function runTests(python, args) {
  const { startTestSystem } = await import('./system.mjs');
  const { settings, stop } = await startTestSystem();
  try {
    return await python.run('pytest', args, {
      CLIENT_TEST: JSON.stringify(settings),
      // httpx sends even local requests through the machine's proxy.
      NO_PROXY: '127.0.0.1',
    });
  } finally {
    await stop();
  }
}

const [task, ...args] = process.argv.slice(2);
try {
  process.exitCode = await tasks[task](await findPython(), args);
} catch (error) {
  if (!(error instanceof MissingPython)) throw error;
  say(`Python client: skipped. ${error.message}`);
  if (task === 'test') say('Tests:       1 skipped, 1 total');
}
