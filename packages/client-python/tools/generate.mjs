import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../infra/local/bootstrap/paths.mjs';
import { folder } from './python.mjs';

const description = join(root, 'services', 'gateway', 'openapi.json');

const settings = {
  'input-file-type': 'openapi',
  'output-model-type': 'typing.TypedDict',
  'target-python-version': '3.10',
  'naming-strategy': 'full-path',
  formatters: 'builtin',
};
const flags = ['--use-field-description', '--use-schema-description', '--disable-timestamp'];

/** Writes the types of everything that the API takes and answers. */
export async function generateTypes(python) {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const unfinished = join(folder, 'dist', '_generated.py');
  const files = { input: description, output: unfinished };
  const options = Object.entries({ ...files, ...settings }).flatMap(([name, value]) => [`--${name}`, value]);
  await python.runQuietly('datamodel_code_generator', [...options, ...flags]);
  // Another process may be importing it.
  renameSync(unfinished, join(folder, 'src', 'job_listing_client', '_generated.py'));
}
