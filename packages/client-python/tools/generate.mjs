import { execFile } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../infra/local/bootstrap/paths.mjs';
import { folder } from './python.mjs';

const program = join(root, 'services', 'gateway', 'tools', 'print-openapi.ts');
const maxBuffer = 16 * 1024 * 1024;

const options = {
  'input-file-type': 'openapi',
  'output-model-type': 'typing.TypedDict',
  'target-python-version': '3.10',
  'naming-strategy': 'full-path',
  formatters: 'builtin',
};
const flags = ['--use-field-description', '--use-schema-description', '--disable-timestamp'];

/** Writes the types of everything that the API takes and answers. */
export async function generateTypes(python) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@joblisting/source', program],
    { maxBuffer },
  );
  const description = join(folder, 'dist', 'openapi.json');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(description, stdout);
  const unfinished = join(folder, 'dist', '_generated.py');
  const files = { input: description, output: unfinished };
  await python.runQuietly('datamodel_code_generator', [
    ...Object.entries({ ...files, ...options }).flatMap(([name, value]) => [`--${name}`, value]),
    ...flags,
  ]); // Another process may be importing it.
  renameSync(unfinished, join(folder, 'src', 'job_listing_client', '_generated.py'));
}
