import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { capture, passThrough } from '../../../infra/local/bootstrap/command.mjs';
import { cache } from '../../../infra/local/bootstrap/paths.mjs';
import { findPythonTools } from '../../../infra/local/bootstrap/python.mjs';
import { createSteps, Problem } from '../../../infra/local/bootstrap/terminal.mjs';

export const folder = fileURLToPath(new URL('..', import.meta.url));

/** Python with the tools of this package. */
export async function findPython() {
  const [interpreter, , packages] = await findPythonTools(createSteps(), {
    name: 'client-python',
    requirements: 'client-python.txt',
    program: 'pytest',
    bytes: 27_000_000,
    oldestMinor: 10,
  });
  const options = (env = {}) => ({
    cwd: folder,
    env: {
      ...process.env,
      PYTHONPATH: [packages, process.env.PYTHONPATH].filter(Boolean).join(delimiter),
      PYTHONDONTWRITEBYTECODE: '1',
      MYPY_CACHE_DIR: join(cache, 'mypy'),
      ...env,
    },
  });
  return {
    /** Runs a module on this terminal and returns its exit code. */
    run: (module, args = [], env = {}) => passThrough(interpreter, ['-m', module, ...args], options(env)),

    /** Runs a module and shows its output only if it fails. */
    runQuietly: async (module, args) => {
      const { code, output } = await capture(interpreter, ['-m', module, ...args], options());
      if (code !== 0) throw new Problem(`${module} failed:\n${output.trim()}`);
    },
  };
}
