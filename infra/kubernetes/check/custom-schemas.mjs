import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { allOnPath, capture } from '../../local/bootstrap/command.mjs';
import { problemsOf } from './schemas.mjs';

const prometheusOperator = {
  module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
  sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
};

/** Go modules that contain the operators' custom resource definitions, with their checksums. */
const definitions = [
  {
    module: 'github.com/mongodb/mongodb-kubernetes-operator@v0.13.0',
    sum: 'h1:tbR6z7f3DZmeQJgPsC+Xp193kdADMzcwFGqlTvO9gh0=',
    file: 'config/crd/bases/mongodbcommunity.mongodb.com_mongodbcommunity.yaml',
  },
  {
    ...prometheusOperator,
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
  },
  {
    ...prometheusOperator,
    file: 'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  },
];

/**
 * A validator for the operators' kinds. Needs Go to fetch their schemas.
 * @returns {Promise<(object: object) => string[] | undefined>} the problems; undefined for a kind without a schema
 */
export async function customSchemas(steps) {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, code: { regExp: ofGo } });
  const validators = new Map();
  const [go] = allOnPath('go');
  for (const definition of go === undefined ? [] : definitions) {
    const crd = await steps.run('Fetching the schemas of operators', () => fetchDefinition(go, definition));
    for (const { name, schema } of crd?.spec.versions ?? []) {
      const key = `${crd.spec.group}/${name} ${crd.spec.names.kind}`;
      validators.set(key, ajv.compile(closed(schema.openAPIV3Schema)));
    }
  }
  return (object) => {
    const validate = validators.get(`${object.apiVersion} ${object.kind}`);
    if (validate === undefined) return undefined;
    return validate(object) ? [] : problemsOf(validate.errors);
  };
}

/** Patterns are Go's, which can ignore case by a mark inside. */
function ofGo(pattern, flags) {
  const mark = '(?i)';
  return pattern.includes(mark)
    ? new RegExp(pattern.replace(mark, ''), `${flags}i`)
    : new RegExp(pattern, flags);
}

async function fetchDefinition(go, { module, sum, file }) {
  const { code, output } = await capture(go, ['mod', 'download', '-json', module]);
  if (code !== 0) return undefined;
  const { Dir: folder, Sum: actualSum } = JSON.parse(output);
  if (actualSum !== sum) throw new Error(`${module} has another checksum than expected`);
  return parse(readFileSync(join(folder, file), 'utf8'));
}

/** Makes unknown fields errors; Kubernetes would drop them. */
function closed(schema, isRoot = true) {
  if (Array.isArray(schema)) return schema.map((each) => closed(each, false));
  if (schema === null || typeof schema !== 'object') return schema;
  const entries = Object.entries(schema).map(([name, value]) =>
    name === 'properties' ? [name, closedProperties(value, isRoot)] : [name, closed(value, false)],
  );
  const isOpen =
    schema.properties === undefined ||
    schema.additionalProperties !== undefined ||
    schema['x-kubernetes-preserve-unknown-fields'] === true;
  return Object.fromEntries(isOpen ? entries : [...entries, ['additionalProperties', false]]);
}

const closedProperties = (properties, isRoot) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      // The definition does not contain the standard metadata.
      isRoot && name === 'metadata' ? {} : closed(schema, false),
    ]),
  );
