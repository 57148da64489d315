import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const folder = new URL('../../pages/', import.meta.url);
const MOST_BYTES_OF_SCRIPT = 32 * 1024 * 1024;

export const readPageFile = (name: string): Promise<Buffer> => readFile(new URL(name, folder));

/** The text of each guide by its name. */
export async function readGuides(): Promise<Map<string, string>> {
  const files = await readdir(new URL('guides/', folder));
  const texts = await Promise.all(files.map((file) => readPageFile(`guides/${file}`)));
  return new Map(files.map((file, index) => [file.replace(/\.md$/, ''), String(texts[index])]));
}

/** Scalar's script. A process of its own loads the package, because that takes 60 MB of memory. */
export async function readScalar(): Promise<Buffer> {
  const program = fileURLToPath(new URL('scalar.mjs', folder));
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    encoding: 'buffer',
    maxBuffer: MOST_BYTES_OF_SCRIPT,
  });
  return stdout;
}
