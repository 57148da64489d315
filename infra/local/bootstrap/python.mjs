import { dirname } from 'node:path';
import { capture } from './command.mjs';
import { createWheel, installPython, MissingPython } from './wheel.mjs';

const newestMinor = 14;
const pythons = ['python3', 'python'];

/**
 * Programs in Python packages, fetched once for each version of Python.
 * @param {{name: string, requirements: string, program: string, bytes: number, oldestMinor: number}} tools as in
 *   `createWheel`; `program` is one of the programs in the packages
 * @returns {Promise<[string, string, string]>} the interpreter, the program, the folder of the packages
 */
export async function findPythonTools(steps, { name, requirements, program, bytes, oldestMinor }) {
  const { python, version } = await findPython(name, oldestMinor);
  const wheel = createWheel({
    name: `${name}-py${version}`,
    requirements,
    file: `bin/${program}`,
    bytes,
  });
  const path = wheel.cached() ?? (await steps.run(`Fetching ${name}`, wheel.fetch));
  return [python, path, dirname(dirname(path))];
}

async function findPython(name, oldestMinor) {
  for (const python of pythons) {
    const { code, output } = await capture(python, ['-c', 'import sys; print(*sys.version_info[:2])']);
    const [major, minor] = output.split(' ').map(Number);
    if (code === 0 && major === 3 && minor >= oldestMinor && minor <= newestMinor) {
      return { python, version: `${major}.${minor}` };
    }
  }
  throw new MissingPython(
    `${name} needs Python 3.${oldestMinor} to 3.${newestMinor} with pip. Install it: ${installPython()}`,
  );
}
