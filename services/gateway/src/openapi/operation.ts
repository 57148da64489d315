import { LONGEST_KEY, VISIBLE_ASCII } from '../http/headers.ts';
import {
  deprecationOf,
  JSON_ONLY,
  parametersOf,
  pathParametersOf,
  type Row,
  takesIdempotencyKey,
  takesIfMatch,
} from '../routes/row.ts';
import { responsesOf } from './responses.ts';
import { describeSchema, IF_MATCH, type Json } from './schemas.ts';

/** One row as an operation of the description. */
export function describeRow(row: Row): Json {
  const { operation, name, tag } = row;
  const deprecation = deprecationOf(row);
  return {
    operationId: name,
    tags: [tag],
    summary: operation.summary,
    description: describe(row),
    ...(deprecation && { deprecated: true, 'x-sunset': deprecation.sunset }),
    security: securityOf(row),
    parameters: [...parameters(row), ...headerParameters(row)],
    ...(operation.body && { requestBody: requestBodyOf(row) }),
    responses: responsesOf(row),
  };
}

function describe(row: Row): string {
  const { description, access } = row;
  const deprecation = deprecationOf(row);
  const scope = access.keys !== 'none' && `Scope: \`${access.scope}\`.`;
  const end =
    deprecation &&
    `Deprecated since ${deprecation.since}, removed from ${deprecation.sunset} on: ${deprecation.link}`;
  return [description, scope, end].filter(Boolean).join(' ');
}

function parameters(row: Row): Json[] {
  const { properties, required = [] } = row.operation.params as unknown as {
    properties: Record<string, object & { description?: string }>;
    required?: string[];
  };
  const inPath = new Set(pathParametersOf(row.path));
  return parametersOf(row).map((name) => {
    const { description = '', ...schema } = properties[name] ?? {};
    const place = inPath.has(name) ? 'path' : 'query';
    const isRequired = inPath.has(name) || required.includes(name);
    // A docs page fills examples in, which would add optional parameters that nobody meant.
    const example = isRequired ? row.examples.parameters?.[name] : undefined;
    return { name, in: place, required: isRequired, description, schema: describeSchema(schema), example };
  });
}

function headerParameters(row: Row): Json[] {
  const found: Json[] = [];
  if (takesIdempotencyKey(row)) {
    const description =
      'Any text of your own, such as a UUID, to make sending this request again safe: for 24 hours the first success is answered again. No two requests may share one.';
    const schema = { type: 'string', minLength: 1, maxLength: LONGEST_KEY, pattern: VISIBLE_ASCII.source };
    found.push({ name: 'Idempotency-Key', in: 'header', description, schema });
  }
  if (takesIfMatch(row)) {
    const description = "Apply only if the job's ETag matches; `*`: only if it exists.";
    found.push({
      name: 'If-Match',
      in: 'header',
      description,
      schema: { type: 'string', pattern: IF_MATCH },
    });
  }
  if (row.tagged && row.method === 'GET') {
    const description = 'ETags that the client has; 304 if one of them is still current.';
    found.push({ name: 'If-None-Match', in: 'header', description, schema: { type: 'string' } });
  }
  return found;
}

function requestBodyOf({ operation, content = JSON_ONLY, examples, bodyOptional }: Row): Json {
  const ownBody = { schema: operation.body ?? {}, example: examples.body };
  const described = Object.entries(content).map(([type, { shown = ownBody }]) => [
    type,
    { ...shown, schema: describeSchema(shown.schema) },
  ]);
  return { required: bodyOptional !== true, content: Object.fromEntries(described) };
}

function securityOf({ access, method }: Row): Json[] {
  if (access.keys === 'none') return [];
  if (access.keys === 'consumer') return [{ consumerKey: [] }];
  const both = { consumerKey: [], userKey: [] };
  return method === 'GET' ? [both, { basic: [] }] : [both];
}
