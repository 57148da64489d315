import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createWheel } from '../../local/bootstrap/wheel.mjs';
import { nameOf } from './objects.mjs';

/** The oldest and the newest supported Kubernetes. */
export const versions = ['1.33', '1.37'];

const folderOf = (version) => `v${version}.0-local-strict`;
const wheel = createWheel({
  name: 'kubernetes-validate',
  requirements: 'kubernetes-validate.txt',
  file: `kubernetes_validate/kubernetes-json-schema/${folderOf(versions[0])}/_definitions.json`,
  bytes: 22_560_767,
});

/** The folder with JSON schemas per version of Kubernetes, fetched once. */
export async function fetchSchemas(steps) {
  const file = wheel.cached() ?? (await steps.run('Fetching the schemas of Kubernetes', wheel.fetch));
  return dirname(dirname(file));
}

/**
 * A validator with Kubernetes' own schemas of one version. Unknown fields are errors.
 * @returns {(object: object) => string[] | undefined} the problems; undefined for a kind without a schema
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

/** One rule per version of Kubernetes: each object matches its schema. */
export const schemaRule = (version, validate) => ({
  name: `every field exists in Kubernetes ${version}`,
  problems: ({ objects }) =>
    objects.flatMap((object) => (validate(object) ?? []).map((problem) => `${nameOf(object)} ${problem}`)),
  breaks: ({ objects }) => {
    objects.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0].readyProbe = {};
  },
});

/** The kinds without a schema. */
export const unknownKinds = (objects, validate) => [
  ...new Set(objects.filter((object) => validate(object) === undefined).map(({ kind }) => kind)),
];
