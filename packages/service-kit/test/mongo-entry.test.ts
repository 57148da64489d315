import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);

/** The modules of mongoose that `entry` loads. */
async function mongooseModulesOf(entry: string): Promise<number> {
  const url = new URL(`../src/${entry}`, import.meta.url).href;
  const program = `
    import { createRequire } from 'node:module';
    await import('${url}');
    const files = Object.keys(createRequire('${url}').cache);
    console.log(files.filter((file) => file.includes('/mongoose/')).length);`;
  const flags = ['--conditions=@joblisting/source', '--input-type=module', '--eval', program];
  return Number((await run(process.execPath, flags)).stdout);
}

describe('the entries of the package', () => {
  it('load mongoose only for who has a database', async () => {
    expect(await mongooseModulesOf('index-mongo.ts')).toBeGreaterThan(100);
    expect(await mongooseModulesOf('index.ts')).toBe(0);
  });
});
