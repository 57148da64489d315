import { join } from 'node:path';
import { capture } from './command.mjs';
import { executable, root } from './paths.mjs';
import { Problem } from './problem.mjs';

/**
 * Builds the packages in these folders, and what they need. What is built already takes no time. One compiler for
 * all of them reads each library once; a process for each package would read it again and again.
 */
export async function build(steps, env, folders) {
  await steps.run('Building', async () => {
    const tsc = join(root, 'node_modules', '.bin', `tsc${executable === '' ? '' : '.cmd'}`);
    const { code, output } = await capture(tsc, ['-b', ...folders], {
      cwd: root,
      env,
      shell: executable !== '',
    });
    if (code !== 0) throw new Problem(`The build failed:\n${output.trim()}`);
  });
}
