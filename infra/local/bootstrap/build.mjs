import { join } from 'node:path';
import { capture } from './command.mjs';
import { executable, root } from './paths.mjs';
import { Problem } from './problem.mjs';

/** Builds the packages that the filters name, and what they need. What is built already takes no time. */
export async function build(steps, env, filters) {
  await steps.run('Building', async () => {
    const turbo = join(root, 'node_modules', '.bin', `turbo${executable === '' ? '' : '.cmd'}`);
    const args = ['run', 'build', '--output-logs=errors-only', ...filters.map((name) => `--filter=${name}`)];
    const { code, output } = await capture(turbo, args, { cwd: root, env, shell: executable !== '' });
    if (code !== 0) throw new Problem(`The build failed:\n${output.trim()}`);
  });
}
