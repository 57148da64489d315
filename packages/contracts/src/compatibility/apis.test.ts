import { describe, expect, it } from '@jest/globals';
import { compareApis } from './apis.ts';
import type { Json, JsonObject } from './json.ts';

const ref = (name: string): Json => ({ $ref: `#/components/${name}` });
const json = (schema: Json): Json => ({ 'application/json': { schema } });
const page = { name: 'page', in: 'query', required: false, schema: { type: 'integer', default: 1 } };
const tag = { name: 'If-Match', in: 'header', schema: { type: 'string' } };
const ok = {
  description: 'Done.',
  headers: { ETag: ref('headers/ETag') },
  content: json(ref('schemas/Thing')),
};
const refusal = { description: 'No.', content: json(ref('schemas/Error')) };
const put: JsonObject = {
  operationId: 'putThing',
  security: [{ consumer: [], user: [] }, { basic: [] }],
  parameters: [page, tag],
  requestBody: { required: false, content: json(ref('schemas/Thing')) },
  responses: { 200: ok, 404: refusal },
};
const thing: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, parts: { type: 'array', items: ref('schemas/Thing') } },
};
const components: JsonObject = {
  schemas: { Thing: thing, Error: { type: 'object', properties: { code: { enum: ['a'] } } } },
  headers: { ETag: { schema: { type: 'string' } } },
  securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'As browsers do.' } },
};
const released: JsonObject = {
  servers: [{ url: 'https://a.example.com/v1.0' }],
  paths: { '/things': { put } },
  components,
};

const withPut = (change: JsonObject): JsonObject => ({
  ...released,
  paths: { '/things': { put: { ...put, ...change } } },
});
const withSchemas = (change: JsonObject): JsonObject => ({
  ...released,
  components: { ...components, schemas: { ...(components['schemas'] as JsonObject), ...change } },
});
const PUT = '/paths/~1things/put';
const REPLY = `${PUT}/responses/200`;
const breaksAt = (today: JsonObject) =>
  compareApis(released, today)
    .filter(({ breaking }) => breaking)
    .map(({ pointer }) => pointer);

describe('compareApis', () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ['a path is removed', { ...released, paths: {} }, [PUT]],
    ['a method is removed', { ...released, paths: { '/things': {} } }, [PUT]],
    ['an operation is renamed', withPut({ operationId: 'setThing' }), [`${PUT}/operationId`]],
    ['a parameter is removed', withPut({ parameters: [tag] }), [`${PUT}/parameters/query page`]],
    [
      'a parameter moved',
      withPut({ parameters: [{ ...page, in: 'header' }, tag] }),
      [`${PUT}/parameters/query page`],
    ],
    [
      'a parameter is required',
      withPut({ parameters: [{ ...page, required: true }, tag] }),
      [`${PUT}/parameters/query page`],
    ],
    [
      'a new parameter is required',
      withPut({ parameters: [page, tag, { name: 'x', in: 'query', required: true }] }),
      [`${PUT}/parameters/query x`],
    ],
    [
      'a parameter is narrowed',
      withPut({ parameters: [{ ...page, schema: { ...page.schema, maximum: 5 } }, tag] }),
      [`${PUT}/parameters/query page/schema/maximum`],
    ],
    [
      'a parameter has another default',
      withPut({ parameters: [{ ...page, schema: { type: 'integer', default: 2 } }, tag] }),
      [`${PUT}/parameters/query page/schema/default`],
    ],
    [
      'a parameter is parsed in another way',
      withPut({ parameters: [{ ...page, explode: false }, tag] }),
      [`${PUT}/parameters/query page/explode`],
    ],
    [
      'the body is required',
      withPut({ requestBody: { required: true, content: json(ref('schemas/Thing')) } }),
      [`${PUT}/requestBody`],
    ],
    [
      'the body has another media type',
      withPut({ requestBody: { content: { 'text/plain': {} } } }),
      [`${PUT}/requestBody/content/application~1json`],
    ],
    ['a success is removed', withPut({ responses: { 404: refusal } }), [`${PUT}/responses/200`]],
    [
      'a success is new',
      withPut({ responses: { 200: ok, 201: ok, 404: refusal } }),
      [`${PUT}/responses/201`],
    ],
    [
      'a header is removed',
      withPut({ responses: { 200: { ...ok, headers: {} }, 404: refusal } }),
      [`${REPLY}/headers/ETag`],
    ],
    ['more keys are required', withPut({ security: [{ consumer: [], user: [] }] }), [`${PUT}/security`]],
    [
      'a base path is removed',
      { ...released, servers: [{ url: 'https://a.example.com/v2.0' }] },
      ['/servers'],
    ],
    [
      'a security scheme is removed',
      { ...released, components: { ...components, securitySchemes: {} } },
      ['/components/securitySchemes/basic'],
    ],
    [
      'a component is narrowed where it is a request',
      withSchemas({
        Thing: {
          ...thing,
          properties: { ...(thing['properties'] as JsonObject), id: { type: 'integer', minimum: 1 } },
        },
      }),
      [`${PUT}/requestBody/content/application~1json/schema/properties/id/minimum`],
    ],
    [
      'a component is widened where it is a reply',
      withSchemas({ Thing: { ...thing, required: [] } }),
      [`${REPLY}/content/application~1json/schema/required`],
    ],
  ])('breaks: %s', (_name, today, expected) => {
    expect(breaksAt(today)).toEqual(expected);
  });

  it.each<[string, JsonObject]>([
    ['a new path', { ...released, paths: { '/things': { put }, '/others': { get: put } } }],
    ['a new optional parameter', withPut({ parameters: [page, tag, { name: 'x', in: 'query' }] })],
    ['another case of a header name', withPut({ parameters: [page, { ...tag, name: 'if-match' }] })],
    ['a new error status', withPut({ responses: { 200: ok, 404: refusal, 409: refusal } })],
    ['a removed error status', withPut({ responses: { 200: ok } })],
    [
      'a new error code',
      withSchemas({ Error: { type: 'object', properties: { code: { enum: ['a', 'b'] } } } }),
    ],
    ['fewer keys', withPut({ security: [{ consumer: [] }, { basic: [] }] })],
    ['no keys', withPut({ security: [] })],
    ['another origin', { ...released, servers: [{ url: 'http://localhost:8080/v1.0' }] }],
  ])('does not break: %s', (_name, today) => {
    expect(breaksAt(today)).toEqual([]);
  });

  it('breaks: a public operation requires keys', () => {
    const open = withPut({ security: [] });
    expect(compareApis(open, released).map(({ pointer, what }) => [pointer, what])).toEqual([
      [`${PUT}/security`, 'no key no longer gives access'],
    ]);
  });

  it('does not break: a parameter moves from the operation to its path', () => {
    const { parameters: _, ...bare } = put;
    const today = { ...released, paths: { '/things': { parameters: [page, tag], put: bare } } };
    expect(compareApis(released, today)).toEqual([]);
  });
});
