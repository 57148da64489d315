import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createWheel } from '../../local/bootstrap/wheel.mjs';

/** The oldest and the newest Kubernetes that the manifests are for. */
export const versions = ['1.33', '1.37'];

const folderOf = (version) => `v${version}.0-local-strict`;
const wheel = createWheel({
  name: 'kubernetes-validate',
  requirements: 'kubernetes-validate.txt',
  file: `kubernetes_validate/kubernetes-json-schema/${folderOf(versions[0])}/_definitions.json`,
  bytes: 22_560_767,
});

/** Folder with a folder of JSON schemas for each version of Kubernetes, fetched once. */
export async function fetchSchemas(steps) {
  const file = wheel.cached() ?? (await steps.run('Fetching the schemas of Kubernetes', wheel.fetch));
  return dirname(dirname(file));
}

/**
 * Kubernetes' own schemas of one version, in which every unknown field is an error.
 * @returns {(object: object) => string[] | undefined} the problems; undefined for a kind that Kubernetes does not define
 */
export function builtInSchemas(schemas, version) {
  const folder = join(schemas, folderOf(version));
  const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(read('_definitions.json'));
  const compiled = new Map();

  const validatorOf = ({ kind, apiVersion }) => {
    const file = `${kind.toLowerCase()}-${apiVersion.replace(/^([^./]*)[^/]*\//, '$1-')}.json`;
    if (!compiled.has(file)) {
      const schema = schemaIn(read, file);
      compiled.set(file, schema && ajv.compile(schema));
    }
    return compiled.get(file);
  };
  return (object) => {
    const validate = validatorOf(object);
    if (validate === undefined) return undefined;
    return validate(object) ? [] : problemsOf(validate.errors);
  };
}

function schemaIn(read, file) {
  try {
    return read(file);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export const problemsOf = (errors) =>
  errors.map(({ instancePath, message, params }) =>
    [instancePath, message, params.additionalProperty].filter(Boolean).join(' '),
  );
