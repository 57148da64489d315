import { dirname } from 'node:path';
import { capture } from './command.mjs';
import { Problem } from './terminal.mjs';
import { createWheel, installPython } from './wheel.mjs';

const oldestMinor = 11;
const newestMinor = 14;
const pythons = ['python3', 'python'];

/**
 * schemathesis, fetched once for each version of Python.
 * @returns {Promise<[string, string, string]>} the interpreter, the program, the folder of its modules
 */
export async function findSchemathesis(steps) {
  const { python, version } = await findPython();
  const wheel = createWheel({
    name: `schemathesis-py${version}`,
    requirements: 'schemathesis.txt',
    file: 'bin/schemathesis',
    bytes: 13_200_000,
  });
  const program = wheel.cached() ?? (await steps.run('Fetching schemathesis', wheel.fetch));
  return [python, program, dirname(dirname(program))];
}

async function findPython() {
  for (const python of pythons) {
    const { code, output } = await capture(python, ['-c', 'import sys; print(*sys.version_info[:2])']);
    const [major, minor] = output.split(' ').map(Number);
    if (code === 0 && major === 3 && minor >= oldestMinor && minor <= newestMinor) {
      return { python, version: `${major}.${minor}` };
    }
  }
  throw new Problem(
    `schemathesis needs Python 3.${oldestMinor} to 3.${newestMinor} with pip. Install it: ${installPython()}`,
  );
}
